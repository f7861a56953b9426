import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aProject, aUser } from "@/testing/fixtures";
import { aMember, FUTURE, invited, MEMBERS, noor, openMembers, owner, PAST, team } from "@/testing/members-section";
import { answer, offline, refusal, server } from "@/testing/server";

const ADMIN: Partial<Project> = {
  role: "admin",
  permissions: ["read", "edit", "publish", "manage", "assign_credits", "audit"],
};

const VIEWER: Partial<Project> = { role: "viewer", permissions: ["read"] };

beforeEach(() => {
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }));
});

// spec: members-1, members-12
test("everybody is listed with email and role, the owner first, and the seats are counted", async () => {
  const { section, row } = await openMembers([...team, invited("lin", FUTURE)]);

  expect((await row("Demo Person")).getByText("Owner")).toBeVisible();
  expect((await row("Demo Person")).getByText("You")).toBeVisible();
  expect((await row("Noor Aziz")).getByText("noor@example.com")).toBeVisible();
  expect((await row("Noor Aziz")).getByText("Editor")).toBeVisible();
  expect((await row("lin@example.com")).getByText("Pending")).toBeVisible();
  expect(section.getByText("3 / 3 seats taken")).toBeVisible();
  expect(section.getAllByRole("listitem")[0]).toHaveTextContent("Demo Person");
  // Nothing can be done to the owner.
  expect((await row("Demo Person")).queryByRole("button")).not.toBeInTheDocument();
});

// spec: members-2, members-4
test("at the cap of seats the page shows that, with a button that upgrades the plan", async () => {
  const { section } = await openMembers([...team, invited("lin", FUTURE)]);

  expect(await section.findByText(/^You've reached the user seat limit for your current tier/)).toHaveTextContent(
    "Upgrade the plan to invite more people.",
  );
  expect(section.getByRole("button", { name: "Upgrade" })).toBeVisible();
  expect(section.queryByRole("button", { name: "Invite member" })).not.toBeInTheDocument();
});

// spec: members-5
test("at the cap of the largest plan no upgrade is offered", async () => {
  const { section } = await openMembers(team, {
    activeTier: "pro",
    tierName: "Pro Tier",
    limits: { ...aProject().limits, seats: 2 },
  });

  expect(
    await section.findByText(
      "You've reached the user seat limit for your current tier. It is the largest plan: remove a member or withdraw an invitation first.",
    ),
  ).toBeVisible();
  expect(section.queryByRole("button", { name: "Upgrade" })).not.toBeInTheDocument();
  expect(section.queryByRole("button", { name: "Invite member" })).not.toBeInTheDocument();
});

// spec: activation-11
test("a server without limits counts seats only", async () => {
  const { section } = await openMembers(
    team,
    { activeTier: "pro", expiresAt: null, limits: { ...aProject().limits, seats: -1 } },
    aUser({ billing: "off" }),
  );

  expect(await section.findByText("2 seats taken")).toBeVisible();
  expect(section.getByRole("button", { name: "Invite member" })).toBeVisible();
});

// spec: members-10
test("a member gets another role", async () => {
  const bodies: unknown[] = [];
  const { user, row } = await openMembers();
  server.use(
    answer(
      "put",
      `${MEMBERS}/usr_noor`,
      { members: [owner, { ...noor, role: "admin" }] },
      {
        onCall: (body) => bodies.push(body),
      },
    ),
  );
  await user.click((await row("Noor Aziz")).getByRole("button", { name: "Edit the role of Noor Aziz" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit the role of Noor Aziz" }));
  expect(dialog.getByRole("radio", { name: "Editor" })).toBeChecked();
  await user.click(dialog.getByRole("radio", { name: "Admin" }));

  await user.click(dialog.getByRole("button", { name: "Save role" }));

  expect(await screen.findByText("Noor Aziz is an admin now.")).toBeInTheDocument();
  expect(await (await row("Noor Aziz")).findByText("Admin")).toBeVisible();
  expect(bodies).toEqual([{ role: "admin" }]);
});

// spec: members-12
test("removing a member shows which use of keys ends", async () => {
  const { user, section, row } = await openMembers();
  server.use(answer("delete", `${MEMBERS}/usr_noor`, { members: [owner] }));
  await user.click((await row("Noor Aziz")).getByRole("button", { name: "Remove Noor Aziz" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Remove Noor Aziz?" }));
  expect(dialog.getByText(/Their developer API keys were last used/)).toHaveTextContent(
    /years ago: apps and tools that use them get nothing from this project any more\./,
  );

  await user.click(dialog.getByRole("button", { name: "Remove member" }));

  await waitFor(() => expect(section.queryByText("Noor Aziz")).not.toBeInTheDocument());
  expect(await screen.findByText("Noor Aziz was removed.")).toBeInTheDocument();
});

// spec: members-11
test.each([
  ["Edit the role of Noor Aziz", "Save role", "put", "Failed to update member role"],
  ["Remove Noor Aziz", "Remove member", "delete", "Failed to remove member"],
] as const)("a failure of '%s' is shown in a toast", async (open, confirm, method, text) => {
  const { user, row } = await openMembers();
  const attempt = async () => {
    await user.click((await row("Noor Aziz")).getByRole("button", { name: open }));
    const dialog = within(await screen.findByRole("dialog"));
    if (method === "put") await user.click(dialog.getByRole("radio", { name: "Viewer" }));
    await user.click(dialog.getByRole("button", { name: confirm }));
  };

  server.use(answer(method, `${MEMBERS}/usr_noor`, {}, { status: 500 }));
  await attempt();

  expect(await screen.findByText(text)).toBeInTheDocument();
  expect((await row("Noor Aziz")).getAllByText("Editor")[0]).toBeInTheDocument();
});

test.each([
  ["Edit the role of Noor Aziz", "Save role", "put", "Failed to update member role"],
  ["Remove Noor Aziz", "Remove member", "delete", "Failed to remove member"],
] as const)("'%s' stays open when the server can't be reached, and works when it is back", async (...given) => {
  const [open, confirm, method, text] = given;
  const { user, row } = await openMembers();
  server.use(offline(method, `${MEMBERS}/usr_noor`));
  await user.click((await row("Noor Aziz")).getByRole("button", { name: open }));
  const dialog = within(await screen.findByRole("dialog"));
  if (method === "put") await user.click(dialog.getByRole("radio", { name: "Viewer" }));
  await user.click(dialog.getByRole("button", { name: confirm }));
  expect(await screen.findByText(`${text}. The server can't be reached. Please try again.`)).toBeInTheDocument();
  if (method === "put") expect(dialog.getByRole("radio", { name: "Viewer" })).toBeChecked();

  const left = method === "put" ? [owner, { ...noor, role: "viewer" }] : [owner];
  server.use(answer(method, `${MEMBERS}/usr_noor`, { members: left }), answer("get", MEMBERS, left));
  await waitFor(() => expect(dialog.getByRole("button", { name: confirm })).toBeEnabled());
  await user.click(dialog.getByRole("button", { name: confirm }));

  await screen.findByText(method === "put" ? "Noor Aziz is a viewer now." : "Noor Aziz was removed.");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("the offer to take over the project ends with the role it needs, and both dialogs announce that", async () => {
  const admin = { ...noor, role: "admin" as const };
  const transfer = { to: noor.user, offeredAt: PAST };
  const { user, row } = await openMembers([owner, admin], { transfer });
  const says = "The offer to take over the project ends with this";
  await user.click((await row("Noor Aziz")).getByRole("button", { name: /^Edit the role/ }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.queryByText(says, { exact: false })).not.toBeInTheDocument();
  await user.click(dialog.getByRole("radio", { name: "Editor" }));
  expect(dialog.getByText(says, { exact: false })).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click((await row("Noor Aziz")).getByRole("button", { name: "Remove Noor Aziz" }));

  expect(await screen.findByText(says, { exact: false })).toBeVisible();
});

// spec: members-10
test("an admin is warned before giving up the own role, and leaves the project by the link to the page's end", async () => {
  const { user, row } = await openMembers(
    [aMember("0", "Mara Lindt", "owner"), aMember("1", "Demo Person", "admin")],
    ADMIN,
  );
  const own = await row("Demo Person");
  expect(own.queryByRole("button", { name: /^Remove/ })).not.toBeInTheDocument();
  expect(own.getByRole("link", { name: "Leave" })).toHaveAttribute("href", expect.stringMatching(/#danger$/));
  expect((await row("Mara Lindt")).queryByRole("button")).not.toBeInTheDocument();

  await user.click(own.getByRole("button", { name: "Edit the role of Demo Person" }));
  await user.click(await screen.findByRole("radio", { name: "Viewer" }));

  expect(screen.getByText(/^This is your own role\./)).toBeVisible();
});

// spec: members-14
test("a person who may not manage members sees the members, and who may manage them", async () => {
  const { section, row } = await openMembers(
    [aMember("0", "Mara Lindt", "owner"), aMember("1", "Demo Person", "viewer"), noor],
    VIEWER,
  );

  expect(await section.findByText("Only admins and the owner can manage members.")).toBeVisible();
  expect((await row("Noor Aziz")).queryByRole("button")).not.toBeInTheDocument();
  expect((await row("Demo Person")).getByRole("link", { name: "Leave" })).toBeVisible();
  expect(section.queryByRole("button", { name: "Invite member" })).not.toBeInTheDocument();
});

// spec: members-13
test.each([
  ["in our words", offline("get", MEMBERS), "Failed to fetch project members"],
  ["in the server's words", refusal("get", MEMBERS, 403, { message: "Members are away." }), "Members are away."],
])("members that could not be loaded are reported %s, and can be loaded again", async (_, refused, text) => {
  const { user, section } = await openMembers(team, {}, aUser(), refused);

  expect(await section.findByText(text)).toBeVisible();
  // On the page, and as a toast.
  await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2));
  server.use(answer("get", MEMBERS, team));
  await user.click(section.getByRole("button", { name: "Try again" }));

  expect(await section.findByText("Noor Aziz")).toBeVisible();
});
