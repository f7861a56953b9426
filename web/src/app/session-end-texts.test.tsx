/** Unsaved text when a session or an account ends. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { hasKeptText, keepText } from "@/lib/kept-text";
import { anItem, aProject, aStore, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText } from "@/testing/kept";
import { openSignedIn } from "@/testing/open";
import { answer, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const KEPT = "Text that you did not save is kept on this device. Log in and open the same page to continue.";

async function writeIntoItem() {
  const item = anItem();
  const store = aStore({ fields: aStore().fields.filter(({ type }) => type !== "RichText") });
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject()),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/stores/${PROJECT_ID}/destinations`, store),
    answer("get", "/api/stores/items/sto_1", [item]),
    answer("post", "/api/auth/logout", null, { status: 204 }),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/stores/destinations`);
  await opened.user.click(await screen.findByRole("button", { name: "Edit: “Lofoten”" }));
  const title = await screen.findByRole("textbox", { name: "title" });
  await opened.user.clear(title);
  await enter(opened.user, title, "Vesterålen");
  return opened;
}

test("text in a dialog outlives the session: the login page mentions it, and the dialog offers it again", async () => {
  const { user, router } = await writeIntoItem();
  server.use(refusal("put", "/api/stores/items/itm_1", 401, { message: "No session." }));
  await user.click(screen.getByRole("button", { name: "Save changes" }));

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  expect(await screen.findByText(KEPT)).toBeVisible();
  expect(screen.queryByText("Discard your changes?")).not.toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/login");

  server.use(answer("post", "/api/auth/login", { message: "", token: "fresh", user: aUser() }));
  await enter(user, screen.getByLabelText("Email"), "demo@example.com");
  await enter(user, screen.getByLabelText("Password"), "a long password");
  await user.click(screen.getByRole("button", { name: "Log in" }));
  await user.click(await screen.findByRole("button", { name: "Edit: “Lofoten”" }));
  await user.click(await findOfferOfText());
  expect(screen.getByRole("textbox", { name: "title" })).toHaveValue("Vesterålen");
});

test("the login page does not mention text where nothing is kept", async () => {
  server.use(refusal("get", "/api/projects", 401, { message: "No session." }), answer("get", "/api/activity", []));
  openSignedIn("/dashboard");

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  expect(screen.queryByText(KEPT)).not.toBeInTheDocument();
});

test("with the account, the texts that the device keeps of it are gone", async () => {
  window.localStorage.setItem("typedText:usr_1:prj_1", "[{}]");
  window.localStorage.setItem("typedText:usr_2:prj_1", "[{}]");
  keepText({ user: "usr_1", project: "prj_1", form: "item", id: "itm_1" }, "first", { title: "Oslo" });
  server.use(
    answer("get", "/api/projects", []),
    answer("get", "/api/user/apikey", { apikey: "lvk_1" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
    answer("delete", "/api/user/me", { message: "Your account was deleted." }),
  );
  const { user } = openSignedIn("/settings");
  await user.click(await screen.findByRole("button", { name: "Delete Account" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
  await enter(user, await dialog.findByLabelText("Your email"), "demo@example.com");
  await enter(user, dialog.getByLabelText("Password"), "a long password");
  await user.click(dialog.getByRole("button", { name: "Delete Account" }));

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  expect(hasKeptText("usr_1")).toBe(false);
  expect(hasKeptText("usr_2")).toBe(true);
});
