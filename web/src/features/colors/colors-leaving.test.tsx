/** The question before unsaved text of a colour is discarded. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aColor, openColors, openDashboard, writeValue } from "@/testing/colors";
import { PROJECT_ID } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";

test("opening a different row asks first about unsaved text in the open row", async () => {
  const { user } = await openColors([aColor("primary", "#0b5d5e"), aColor("accent", "#f0a04b")]);
  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  await writeValue(user, "Edit primary", "#c8371c");

  await user.click(screen.getByRole("button", { name: "Edit accent" }));
  await user.click(await screen.findByRole("button", { name: "Keep editing" }));
  const form = within(screen.getByRole("form", { name: "Edit primary" }));
  expect(form.getByRole("textbox", { name: "Hex value" })).toHaveValue("#c8371c");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await user.click(screen.getByRole("button", { name: "Edit accent" }));
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));

  expect(await screen.findByRole("form", { name: "Edit accent" })).toBeInTheDocument();
  expect(screen.queryByRole("form", { name: "Edit primary" })).not.toBeInTheDocument();
});

test("leaving the page asks first about unsaved text in the line to add", async () => {
  const { user, router } = await openDashboard();
  const leave = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leave()).toBe(true);
  await writeValue(user, "Add a colour", "#c8371c");

  expect(leave()).toBe(false);
  void router.navigate(`/projects/${PROJECT_ID}/images`);
  await user.click(await screen.findByText("Keep editing"));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/colors`);
});

test("leaving the page discards an edited colour and a new colour", async () => {
  server.use(answer("get", "/api/projects", []), answer("get", "/api/activity", []));
  const { user, router } = await openDashboard();
  const form = () => within(screen.getByRole("form", { name: "Add a colour" }));
  await user.type(form().getByRole("textbox", { name: "Key" }), "accent");
  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  const edited = within(screen.getByRole("form", { name: "Edit primary" }));
  await user.type(edited.getByRole("textbox", { name: "Nickname" }), " green");

  void router.navigate("/dashboard");
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));

  expect(Object.keys(window.localStorage).filter((key) => key.startsWith("keptText:"))).toEqual([]);
});
