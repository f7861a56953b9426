/** A fill that fails, or may not run. */
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { counted, FILL, openDialog } from "@/testing/fill";
import { aJob } from "@/testing/fixtures";
import { NO_PLAN, openScreen } from "@/testing/screen";
import { answer, offline, refusal } from "@/testing/server";

// spec: ai-11
test.each([
  ["without a message", refusal("post", FILL, 500, { message: "" }), "Auto-translation failed"],
  [
    "with a message",
    refusal("post", FILL, 429, { message: "Today's AI limit is used up." }),
    "Today's AI limit is used up.",
  ],
  ["offline", offline("post", FILL), "Auto-translation failed. The server can't be reached. Please try again."],
])("a fill that is refused %s shows why in its dialog, which stays open", async (_, refused, message) => {
  const { user, dialog } = await openDialog(answer("get", FILL, counted(2, 0, 0)), refused);

  await user.click(await dialog.findByRole("button", { name: "Fill 2 texts" }));

  expect(await dialog.findByRole("alert")).toHaveTextContent(message);
  expect(dialog.getByRole("button", { name: "Fill 2 texts" })).toBeEnabled();
});

test("after a lost answer the second try carries the same key, so that the fill is paid once", async () => {
  const ids: (string | null)[] = [];
  const { user, dialog } = await openDialog(
    answer("get", FILL, counted(2, 0, 0)),
    http.post(`*${FILL}`, ({ request }) => {
      ids.push(request.headers.get("Idempotency-Key"));
      const started = { message: "Translating 2 texts into German.", job: aJob() };
      return ids.length === 1 ? HttpResponse.error() : HttpResponse.json(started, { status: 202 });
    }),
  );

  await user.click(await dialog.findByRole("button", { name: "Fill 2 texts" }));
  await dialog.findByRole("alert");
  await user.click(dialog.getByRole("button", { name: "Fill 2 texts" }));

  await waitFor(() => expect(ids).toHaveLength(2));
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(ids[1]).toBe(ids[0]);
});

// spec: ai-19
test.each([
  [
    "for viewers",
    { role: "viewer" as const, permissions: ["read" as const] },
    "Viewers can't change content. Ask an admin of this project for the editor role.",
  ],
  [
    "without a plan",
    NO_PLAN,
    "This project does not have an active plan. Please assign credits in Project Settings to use AI.",
  ],
  ["with one language", { languages: ["en"] }, "Add a language first: there is nothing to translate into."],
])("%s the button is off, and shows why", async (_, project, reason) => {
  const { user } = await openScreen(project);
  const button = screen.getByRole("button", { name: "AI Fill Screen" });

  expect(button).toHaveAccessibleDescription(reason);
  await user.click(button);

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});
