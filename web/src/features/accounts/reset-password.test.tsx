/** From a forgotten password to a new password. */
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { open } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

// spec: forgot-1, forgot-2, forgot-3
test("asking for a reset link hides the form and shows where to look", async () => {
  const message = "Password reset link sent! Please check your email (including spam folder).";
  server.use(answer("post", "/api/auth/forgot-password", { message }));
  const { user } = open("/forgot-password");
  await enter(user, await screen.findByLabelText("Email"), "mara@example.com");

  await user.click(screen.getByRole("button", { name: "Send Reset Link" }));

  expect(await screen.findByRole("status")).toHaveTextContent(message);
  expect(screen.queryByLabelText("Email")).not.toBeInTheDocument();
});

// spec: reset-3, reset-4
test("passwords that differ or are short are not sent", async () => {
  const { user } = open("/reset-password/tok");
  await user.type(await screen.findByLabelText("New Password"), "short");
  await user.type(screen.getByLabelText("Confirm New Password"), "shorter");

  await user.click(screen.getByRole("button", { name: "Set New Password" }));

  expect(await screen.findByText("Passwords do not match. Please try again.")).toBeVisible();
  expect(screen.getByText("Password must be at least 8 characters long.")).toBeVisible();
});

// spec: reset-1, reset-5, reset-6, reset-7
test("a new password leads to the login page after two and a half seconds", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const message = "Password has been reset successfully! Redirecting to login...";
  const paths: string[] = [];
  server.use(
    answer(
      "post",
      "/api/auth/reset-password/:token",
      { message, email: "mara@example.com", device: "dev_1" },
      { onCall: (_, request) => paths.push(new URL(request.url).pathname) },
    ),
  );
  const { router } = open("/reset-password/tok_9");
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await enter(user, await screen.findByLabelText("New Password"), "a long and quiet river");
  await enter(user, screen.getByLabelText("Confirm New Password"), "a long and quiet river");

  await user.click(screen.getByRole("button", { name: "Set New Password" }));

  expect(await screen.findByRole("status")).toHaveTextContent(message);
  expect(screen.queryByLabelText("New Password")).not.toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(router.state.location.pathname).toBe("/reset-password/tok_9");
  await act(() => vi.advanceTimersByTimeAsync(1000));
  // The code of the login page may still be on its way.
  const { navigation, location } = router.state;
  expect((navigation.location ?? location).pathname).toBe("/login");
  expect(await screen.findByLabelText("Email")).toHaveValue("mara@example.com");
  expect(paths).toEqual(["/api/auth/reset-password/tok_9"]);
});

// spec: reset-8
test("a dead reset link offers a new link", async () => {
  server.use(answer("post", "/api/auth/reset-password/:token", {}, { status: 400 }));
  const { user } = open("/reset-password/tok");
  await enter(user, await screen.findByLabelText("New Password"), "a long and quiet river");
  await enter(user, screen.getByLabelText("Confirm New Password"), "a long and quiet river");

  await user.click(screen.getByRole("button", { name: "Set New Password" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Failed to reset password. The link may be invalid or expired.",
  );
  expect(screen.getByRole("link", { name: "Ask for a new link" })).toHaveAttribute("href", "/forgot-password");
});

test.each([
  ["no network", offline("post", "/api/auth/reset-password/:token")],
  ["a failing server", answer("post", "/api/auth/reset-password/:token", {}, { status: 502 })],
])("after %s the same reset link is tried again, and no new link is offered", async (_, failing) => {
  server.use(failing);
  const { user } = open("/reset-password/tok");
  await enter(user, await screen.findByLabelText("New Password"), "a long and quiet river");
  await enter(user, screen.getByLabelText("Confirm New Password"), "a long and quiet river");
  await user.click(screen.getByRole("button", { name: "Set New Password" }));
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(screen.queryByRole("link", { name: "Ask for a new link" })).not.toBeInTheDocument();

  server.use(
    answer("post", "/api/auth/reset-password/:token", { message: "", email: "mara@example.com", device: "dev_1" }),
  );
  await user.click(again);

  expect(await screen.findByText("Password has been reset successfully! Redirecting to login...")).toBeVisible();
});

test("a refused password is no reason for a new reset link", async () => {
  const complaint = "Use a different password.";
  server.use(refusal("post", "/api/auth/reset-password/:token", 422, { message: complaint }));
  const { user } = open("/reset-password/tok");
  await enter(user, await screen.findByLabelText("New Password"), "a long and quiet river");
  await enter(user, screen.getByLabelText("Confirm New Password"), "a long and quiet river");
  await user.click(screen.getByRole("button", { name: "Set New Password" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(complaint);
  expect(screen.queryByRole("link", { name: "Ask for a new link" })).not.toBeInTheDocument();
});

test("the token of a reset link leaves the address bar, and a reload still has it", async () => {
  const paths: string[] = [];
  server.use(
    answer(
      "post",
      "/api/auth/reset-password/:token",
      { message: "", email: "mara@example.com", device: "dev_1" },
      { onCall: (_, request) => paths.push(new URL(request.url).pathname) },
    ),
  );
  window.history.pushState(null, "", "/reset-password/a-secret");
  const first = open("/reset-password/a-secret");
  await screen.findByRole("heading", { name: "Set a new password" });
  expect(window.location.pathname).toBe("/reset-password/link");
  first.unmount();

  const { user } = open({ pathname: "/reset-password/link", state: window.history.state.usr });
  await enter(user, await screen.findByLabelText("New Password"), "a long password");
  await enter(user, screen.getByLabelText("Confirm New Password"), "a long password");
  await user.click(screen.getByRole("button", { name: "Set New Password" }));

  expect(await screen.findByText("Password has been reset successfully! Redirecting to login...")).toBeVisible();
  expect(paths).toEqual(["/api/auth/reset-password/a-secret"]);
  window.history.replaceState(null, "", "/");
});
