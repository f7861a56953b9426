import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { open } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";

const CALL = "/api/auth/end-keys/:token";

test("one click ends the keys, also after a failure; the token leaves the address", async () => {
  const paths: string[] = [];
  server.use(offline("post", CALL));
  window.history.pushState(null, "", "/end-keys/a-secret");
  const { user } = open("/end-keys/a-secret");
  const button = await screen.findByRole("button", { name: "End the API keys" });
  await waitFor(() => expect(window.location.pathname).toBe("/end-keys/link"));
  await user.click(button);
  expect(await screen.findByRole("alert")).toHaveTextContent("The server could not be reached.");

  const message = "2 API keys were ended.";
  const onCall = (_: unknown, request: Request) => paths.push(new URL(request.url).pathname);
  server.use(answer("post", CALL, { message }, { onCall }));
  await user.click(button);

  expect(await screen.findByRole("status")).toHaveTextContent(message);
  expect(screen.getByRole("status")).toHaveFocus();
  expect(screen.queryByRole("button", { name: "End the API keys" })).not.toBeInTheDocument();
  expect(paths).toEqual(["/api/auth/end-keys/a-secret"]);
});

test("a dead link shows where keys can be ended", async () => {
  server.use(refusal("post", CALL, 400, { message: "The link may be invalid or expired." }));
  const { user } = open("/end-keys/tok");
  await user.click(await screen.findByRole("button", { name: "End the API keys" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("You can end keys in the settings, too.");
  expect(screen.queryByRole("button", { name: "End the API keys" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "To the settings" })).toHaveAttribute("href", "/settings");
});
