import { expect, test } from "vitest";
import { ApiError, take } from "./api";

test.each([null, undefined])("an answer without the promised body (%s) is a failure", async (data) => {
  const answered = Promise.resolve({ data, response: new Response(null, { status: 200 }) });

  await expect(take(answered)).rejects.toThrow(ApiError);
});
