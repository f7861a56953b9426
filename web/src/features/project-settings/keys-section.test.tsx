import { screen, waitFor, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aProject, aScreen, aUser, PROJECT_ID } from "@/testing/fixtures";
import { ADMIN, EDITOR, VIEWER } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";
import { renderSettings } from "@/testing/settings-part";
import { ConnectButton } from "../connect/connect-button";
import { KeysSection } from "./keys-section";
import type { PublishableKey } from "./queries";

const KEYS = `/api/projects/${PROJECT_ID}/publishable-keys`;

const SECRET = "lvs_1hT5cE0bXn2QwZ8rKf7UyVgLs4JpAo6DmC3iNeR9";

const current: PublishableKey = {
  _id: "key_2",
  publishableKey: "lvp_example",
  contentUrl: null,
  createdAt: "2026-11-20T10:00:00Z",
  current: true,
};

const former: PublishableKey = {
  _id: "key_1",
  publishableKey: "lvp_formerABCD",
  contentUrl: null,
  createdAt: "2026-11-19T10:00:00Z",
  current: false,
};

const renderKeys = (project: Partial<Project> = {}, ...answers: RequestHandler[]) =>
  renderSettings(
    (shown) => <KeysSection project={shown} connect={<ConnectButton project={shown} />} />,
    project,
    aUser(),
    ...answers,
  );

function openKeys(project: Partial<Project> = {}, listed = answer("get", KEYS, { keys: [current, former] })) {
  const opened = renderKeys(project, listed);
  return { ...opened, keys: opened.section("API access and secrets") };
}

const clipboard = () => window.navigator.clipboard.readText();

// spec: keys-1
test("the publishable key is shown and copied, and leads to how an app is connected", async () => {
  const { keys, user } = openKeys();

  expect(keys.getByText("lvp_example")).toBeVisible();
  await user.click(keys.getByRole("button", { name: "Copy publishable key" }));
  expect(await screen.findByText("Key copied!")).toBeInTheDocument();
  expect(await clipboard()).toBe("lvp_example");
  await user.click(keys.getByRole("button", { name: "Copy project ID" }));
  await waitFor(async () => expect(await clipboard()).toBe(PROJECT_ID));
  server.use(answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([])));
  await user.click(keys.getByRole("button", { name: "Connect your app" }));
  expect(await screen.findByRole("dialog", { name: "Connect your app" })).toBeInTheDocument();
});

// spec: keys-1
test("a new key is made after a question that explains what ends, and the present key joins the older keys", async () => {
  const { keys, user } = openKeys({}, answer("get", KEYS, { keys: [current] }));
  expect(keys.queryByRole("list", { name: "Older publishable keys" })).not.toBeInTheDocument();
  await user.click(keys.getByRole("button", { name: "New key for apps" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Make a new publishable key?" }));
  expect(dialog.getByText(/Nothing ends yet: the present key keeps working/)).toBeVisible();
  server.use(
    answer(
      "post",
      `/api/projects/${PROJECT_ID}/publishable-key/rotate`,
      { publishableKey: "lvp_fresh" },
      { status: 201 },
    ),
    answer("get", KEYS, {
      keys: [
        { ...current, _id: "key_3", publishableKey: "lvp_fresh" },
        { ...current, current: false },
      ],
    }),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ publishableKey: "lvp_fresh" })),
  );

  await user.click(dialog.getByRole("button", { name: "Make a new key" }));

  expect(await keys.findByText("lvp_fresh")).toBeVisible();
  const older = within(await keys.findByRole("list", { name: "Older publishable keys" }));
  expect(older.getByText("lvp_example")).toBeVisible();
});

// spec: keys-1
test("an older key is ended after a question that explains what stops, and is not listed any more", async () => {
  const ended: string[] = [];
  const { keys, user } = openKeys();
  server.use(
    answer(
      "delete",
      `/api/projects/${PROJECT_ID}/publishable-key/:keyId`,
      { message: "The key was ended." },
      {
        onCall: (_, request) => {
          ended.push(new URL(request.url).pathname.split("/").at(-1) ?? "");
          server.use(answer("get", KEYS, { keys: [current] }));
        },
      },
    ),
  );

  await user.click(await keys.findByRole("button", { name: "End key lvp_…ABCD" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End key lvp_…ABCD?" }));
  expect(dialog.getByText(/Apps that still have this key are refused at once/)).toBeVisible();
  expect(ended).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "End key" }));

  expect(await screen.findByText("The key was ended.")).toBeInTheDocument();
  expect(ended).toEqual(["key_1"]);
  await waitFor(() => expect(keys.queryByText("lvp_formerABCD")).not.toBeInTheDocument());
});

test("older keys that could not be read are reported, and can be loaded again", async () => {
  const { keys, user } = openKeys({}, offline("get", KEYS));
  expect(await keys.findByText("Failed to fetch the older keys.")).toBeVisible();
  expect(keys.getByText("lvp_example")).toBeVisible();

  server.use(answer("get", KEYS, { keys: [current, former] }));
  await user.click(keys.getByRole("button", { name: "Try again" }));

  expect(await keys.findByText("lvp_formerABCD")).toBeVisible();
});

// spec: keys-2
test("the secret is hidden until it is asked for, and can be copied", async () => {
  const { keys, user } = openKeys();
  expect(keys.queryByText(SECRET)).not.toBeInTheDocument();

  await user.click(keys.getByRole("button", { name: "Copy project secret" }));
  expect(await screen.findByText("Project secret copied!")).toBeInTheDocument();
  expect(await clipboard()).toBe(SECRET);
  await user.click(keys.getByRole("button", { name: "Show project secret" }));

  expect(keys.getByText(SECRET)).toBeVisible();
});

// spec: keys-2
test("the secret is rotated after a question that explains what ends", async () => {
  const fresh = `${SECRET.slice(0, -4)}wxyz`;
  const { keys, user } = openKeys();
  await user.click(keys.getByRole("button", { name: "Rotate project secret" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Rotate the project secret?" }));
  expect(dialog.getByText(/The present secret ends at once, wherever you keep it\./)).toBeVisible();
  server.use(
    answer("post", `/api/projects/${PROJECT_ID}/secret/rotate`, { projectSecret: fresh }, { status: 201 }),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ projectSecret: fresh })),
  );

  await user.click(dialog.getByRole("button", { name: "Rotate secret" }));

  expect(await screen.findByText("This project has a new secret. The old secret is refused.")).toBeInTheDocument();
  await user.click(keys.getByRole("button", { name: "Copy project secret" }));
  await waitFor(async () => expect(await clipboard()).toBe(fresh));
});

test.each([
  ["secret", "Rotate project secret", "Rotate secret", "secret/rotate", "Failed to rotate the project secret."],
  [
    "publishable key",
    "New key for apps",
    "Make a new key",
    "publishable-key/rotate",
    "Failed to make a new publishable key.",
  ],
])("a %s that could not be rotated stays", async (_, button, confirm, path, fallback) => {
  const { keys, user } = openKeys();
  for (const [failing, text] of [
    [
      refusal("post", `/api/projects/${PROJECT_ID}/${path}`, 409, { message: "End one of them first." }),
      "End one of them first.",
    ],
    [
      offline("post", `/api/projects/${PROJECT_ID}/${path}`),
      `${fallback.slice(0, -1)}. The server can't be reached. Please try again.`,
    ],
  ] as const) {
    server.use(failing);
    await user.click(keys.getByRole("button", { name: button }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: confirm }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    // What was refused is over; what found no server can be tried again.
    if (text.startsWith("End")) await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    else await waitFor(() => expect(screen.getByRole("button", { name: confirm })).toBeEnabled());
  }
  expect(keys.getByText("lvp_example")).toBeVisible();
});

// spec: keys-3
test.each([
  ["viewers", VIEWER],
  ["editors", EDITOR],
])("%s copy the publishable key, and read who may see the secret", async (_, project) => {
  const { section } = renderKeys(project);
  const keys = section("API access and secrets");

  expect(keys.getByRole("button", { name: "Copy publishable key" })).toBeVisible();
  expect(keys.getByText(/Only admins and the owner can see it and make a new secret\./)).toBeVisible();
  expect(keys.queryByRole("button", { name: /secret|New|End/ })).not.toBeInTheDocument();
});

// spec: keys-3
test("admins see the secret too", async () => {
  const { keys } = openKeys(ADMIN);

  expect(keys.getByRole("button", { name: "Show project secret" })).toBeVisible();
  expect(keys.getByRole("button", { name: "Rotate project secret" })).toBeVisible();
});

test("a publishable key that this server can't show has no button to copy it, here and where apps are connected", async () => {
  const { keys, user } = openKeys({ publishableKey: null });
  server.use(answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([])));

  expect(keys.getByText(/Rotate it to get a new key/)).toBeVisible();
  expect(keys.queryByRole("button", { name: "Copy publishable key" })).not.toBeInTheDocument();
  await user.click(keys.getByRole("button", { name: "Connect your app" }));
  expect(await screen.findByText(/can't show the publishable key any more/)).toBeVisible();
});
