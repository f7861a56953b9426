/** Every dialog that has its own button to go on: two clicks before anything is drawn again make one call. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { aDiff, aProject, aScreen, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { aMember, openSettings } from "@/testing/project-settings";
import { answer, server } from "@/testing/server";
import { enter } from "@/testing/typing";

let calls: string[];

beforeEach(() => {
  calls = [];
});

/** Answers the call late enough for a second call, and counts it. */
function counted(method: "post" | "put" | "delete", path: string, body: Parameters<typeof answer>[2]) {
  server.use(answer(method, path, body, { afterMs: 30, onCall: () => calls.push(path) }));
}

const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

async function clickTwice(button: HTMLElement) {
  act(() => {
    fireEvent.click(button);
    fireEvent.click(button);
  });
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(calls).toHaveLength(1);
}

function openProject(values: Parameters<typeof aProject>[0] = {}) {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(values)),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([])),
    answer("get", `/api/projects/${PROJECT_ID}/diff`, aDiff({ total: 1 })),
  );
  return openSignedIn(`/projects/${PROJECT_ID}/general`);
}

test("a review publishes once", async () => {
  const { user } = openProject();
  counted("post", `/api/translations/${PROJECT_ID}/publish`, { message: "Done.", release: 2, published: true });
  await user.click(await screen.findByRole("button", { name: /^Publish Changes/ }));

  await clickTwice(await (await dialog("Publish Changes")).findByRole("button", { name: "Publish 1 change" }));
});

test("a plan is activated once", async () => {
  const starter = {
    id: "starter",
    name: "Starter Tier",
    monthlyCreditCost: 19,
    priceDisplay: "19 credits / month",
    tag: "",
    icon: "gift",
    features: [],
    limits: aProject().limits,
    support: "community",
  };
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [starter] }));
  const { user } = openProject({ activeTier: "none", tierName: "No Active Plan", plan: "free", expiresAt: null });
  counted("post", "/api/projects/assign-credits", { message: "Done.", project: aProject(), userCredits: 43 });
  await user.click(await screen.findByRole("button", { name: /^(Choose a plan|Start free month)$/ }));

  await clickTwice(await screen.findByRole("button", { name: "Activate Starter Tier" }));
});

const owner = aMember("1", "Demo Person", "owner");
const noor = aMember("noor", "Noor Aziz", "editor");

async function openTeam() {
  const members = [owner, noor];
  server.use(answer("get", `/api/projects/${PROJECT_ID}/members`, members));
  const opened = await openSettings({ members });
  return { ...opened, team: opened.section("Team members") };
}

test("somebody is invited once", async () => {
  const { user, team } = await openTeam();
  counted("post", `/api/projects/${PROJECT_ID}/members`, { message: "Done.", members: [owner, noor] });
  await user.click(await team.findByRole("button", { name: "Invite member" }));
  const form = await dialog("Invite member");
  await enter(user, await form.findByLabelText("Email"), "lin@example.com");

  await clickTwice(form.getByRole("button", { name: "Send invitation" }));
});

test("a role is changed once", async () => {
  const { user, team } = await openTeam();
  counted("put", `/api/projects/${PROJECT_ID}/members/${noor.user._id}`, {
    members: [owner, { ...noor, role: "admin" }],
  });
  await user.click(await team.findByRole("button", { name: "Edit the role of Noor Aziz" }));
  const form = await dialog("Edit the role of Noor Aziz");
  await user.click(form.getByRole("radio", { name: "Admin" }));

  await clickTwice(form.getByRole("button", { name: "Save role" }));
});

test("a language is added once", async () => {
  const french = { ...languages[0], code: "fr", name: "French", nativeName: "Français" };
  const danish = { ...languages[0], code: "da", name: "Danish", nativeName: "Dansk" };
  const offered = answer("get", "/api/languages", { languages: [...languages, french, danish] });
  const { user, section } = await openSettings({}, aUser(), offered);
  counted("post", `/api/projects/${PROJECT_ID}/languages`, aProject({ languages: ["en", "de", "fr"] }));
  await user.click(await section("Languages").findByRole("button", { name: "Add language" }));
  const form = await dialog("Add language");

  await clickTwice(await form.findByRole("button", { name: "Add French" }));
});

test("a project is deleted once", async () => {
  const { user, section } = await openSettings();
  server.use(answer("get", `/api/projects/${PROJECT_ID}/losses`, {}, { status: 500 }));
  counted("delete", `/api/projects/${PROJECT_ID}`, { message: "Done." });
  await user.click(section("Danger zone").getByRole("button", { name: "Delete Project" }));
  const form = await dialog("Delete Aurora Travel?");
  await enter(user, await form.findByRole("textbox", { name: "Project name" }), "Aurora Travel");

  await clickTwice(form.getByRole("button", { name: "Delete Project" }));
});

test("a payment is begun once, in one tab", async () => {
  const tab = { location: { replace: vi.fn() }, close: vi.fn(), closed: false, opener: window };
  const openTab = vi.spyOn(window, "open").mockImplementation(() => tab as unknown as Window);
  server.use(
    answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }),
    answer("get", "/api/user/apikey", { apikey: "lvk_x" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
  );
  counted("post", "/api/payments/create-invoice", { invoice: { url: "https://pay.example.com/inv_1" } });
  const { user } = openSignedIn("/settings");
  const credits = within(await screen.findByRole("region", { name: "Your Credits" }));
  await user.click(credits.getByRole("button", { name: "Buy More Credits" }));

  await clickTwice(await (await dialog("Buy More Credits")).findByRole("button", { name: "Buy 10 credits" }));
  expect(openTab).toHaveBeenCalledTimes(1);
});
