import { screen, waitFor, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aUser, PROJECT_ID } from "@/testing/fixtures";
import { ADMIN, EDITOR, openSettings } from "@/testing/project-settings";
import { answer, refusal, server } from "@/testing/server";
import { renderSettings } from "@/testing/settings-part";
import type { ProjectToken } from "./queries";
import { TokensSection } from "./tokens-section";

const TOKENS = `/api/projects/${PROJECT_ID}/tokens`;
const SECRET = "lvt_1hT5cE0bXn2QwZ8rKf7UyVgLs4JpAo6DmC3iNeR9";

const aToken = (values: Partial<ProjectToken> = {}): ProjectToken => ({
  _id: "tok_1",
  name: "GitHub Actions",
  hint: "NeR9",
  scopes: ["read", "write"],
  createdBy: "Ada Lovelace",
  createdAt: "2026-11-19T10:00:00Z",
  expiresAt: "2027-02-17T10:00:00Z",
  lastUsedAt: null,
  ...values,
});

function openTokens(project: Partial<Project> = {}, ...answers: RequestHandler[]) {
  const opened = renderSettings((shown) => <TokensSection project={shown} />, project, aUser(), ...answers);
  return { ...opened, tokens: opened.section("Project tokens") };
}

test("each token is listed with what it allows, its last use, its end and its maker", async () => {
  const hour = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const { tokens } = openTokens(
    {},
    answer("get", TOKENS, {
      tokens: [
        aToken(),
        aToken({ _id: "tok_2", name: "Nightly export", scopes: ["read"], expiresAt: null, lastUsedAt: hour }),
      ],
    }),
  );

  const [first, second] = await tokens.findAllByRole("listitem");
  expect(first).toHaveTextContent("GitHub Actions lvt_…NeR9");
  expect(first).toHaveTextContent(
    "Read and Write. Not used yet. Ends Feb 17, 2027. Made Nov 19, 2026 by Ada Lovelace.",
  );
  expect(second).toHaveTextContent("Read. Last used 2 hours ago. Made Nov 19, 2026");
  expect(second).toHaveTextContent("No end");
});

test("a new token is shown once, with a button that copies it, and joins the list", async () => {
  const { tokens, user } = openTokens();
  await user.click(tokens.getByRole("button", { name: "Make a token" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Make a token" }));
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "GitHub Actions");
  await user.click(dialog.getByRole("checkbox", { name: "Write" }));
  expect(dialog.getByRole("combobox", { name: "Ends" })).toHaveValue("90");
  let sent: unknown;
  server.use(
    answer("post", TOKENS, { token: SECRET, made: aToken() }, { status: 201, onCall: (body) => (sent = body) }),
    answer("get", TOKENS, { tokens: [aToken()] }),
  );
  await user.click(dialog.getByRole("button", { name: "Make the token" }));

  const shown = within(await screen.findByRole("dialog", { name: "Your new token" }));
  expect(shown.getByRole("alert")).toHaveTextContent("This token is shown only now.");
  expect(shown.getByText(SECRET)).toBeVisible();
  await user.keyboard("{Escape}");
  await user.click(shown.getByRole("button", { name: "Copy the token" }));
  expect(await window.navigator.clipboard.readText()).toBe(SECRET);
  await user.click(shown.getByRole("button", { name: "Done" }));

  expect(sent).toEqual({ name: "GitHub Actions", scopes: ["read", "write"], days: 90 });
  expect(await tokens.findByText("GitHub Actions")).toBeVisible();
  await waitFor(() => expect(screen.queryByText(SECRET)).not.toBeInTheDocument());
});

test("a token needs a name and a scope, and a name that works already is refused at its field", async () => {
  const { tokens, user } = openTokens();
  await user.click(tokens.getByRole("button", { name: "Make a token" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Make a token" }));
  await user.click(dialog.getByRole("checkbox", { name: "Read" }));
  await user.click(dialog.getByRole("button", { name: "Make the token" }));
  expect(dialog.getByText("Choose at least one scope.")).toBeVisible();
  expect(dialog.getByRole("textbox", { name: "Name" })).toBeInvalid();

  const message = "A token of this name works already.";
  server.use(refusal("post", TOKENS, 409, { message, code: "token_exists", fields: { name: message } }));
  await user.click(dialog.getByRole("checkbox", { name: "Publish" }));
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "Deploy");
  await user.selectOptions(dialog.getByRole("combobox", { name: "Ends" }), "Never");
  await user.click(dialog.getByRole("button", { name: "Make the token" }));

  expect(await dialog.findByText(message)).toBeVisible();
  expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Deploy");
});

test("a token is ended after a question", async () => {
  const { tokens, user } = openTokens({}, answer("get", TOKENS, { tokens: [aToken()] }));
  await user.click(await tokens.findByRole("button", { name: "End token GitHub Actions" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End token GitHub Actions?" }));
  server.use(
    answer("delete", `${TOKENS}/tok_1`, { message: "The token was ended." }),
    answer("get", TOKENS, { tokens: [] }),
  );
  await user.click(dialog.getByRole("button", { name: "End token" }));

  expect(await screen.findByText("The token was ended.")).toBeInTheDocument();
  await waitFor(() => expect(tokens.queryByText("GitHub Actions")).not.toBeInTheDocument());
});

test("admins see the section of tokens, and editors do not", async () => {
  const admin = await openSettings(ADMIN);
  expect(screen.getByRole("region", { name: "Project tokens" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Project tokens" })).toBeVisible();
  admin.unmount();

  await openSettings(EDITOR);
  expect(screen.queryByRole("region", { name: "Project tokens" })).not.toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Project tokens" })).not.toBeInTheDocument();
});
