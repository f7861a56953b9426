/** Handing the project over, deleting it, leaving it. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { projectQuery } from "@/lib/queries";
import { aUser, PROJECT_ID } from "@/testing/fixtures";
import { ADMIN, aMember, VIEWER } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";
import { renderSettings } from "@/testing/settings-part";
import { DangerZone } from "./danger-zone";
import type { ProjectLosses } from "./queries";
import { TransferOffer } from "./transfer-offer";

const PROJECT = `/api/projects/${PROJECT_ID}`;

const TRANSFER = `${PROJECT}/transfer`;

const owner = aMember("1", "Demo Person", "owner");

const noor = aMember("noor", "Noor Aziz", "admin");

const team = [owner, noor, aMember("lin", "Lin Wei", "editor")];

const offered: Project["transfer"] = { to: noor.user, offeredAt: new Date(Date.now() - 2 * 3_600_000).toISOString() };

function openDanger(project: Partial<Project> = {}, me = aUser()) {
  const opened = renderSettings(
    (shown) => (
      <>
        <TransferOffer project={shown} />
        <DangerZone project={shown} />
      </>
    ),
    { members: team, ...project },
    me,
  );
  return { ...opened, danger: opened.section("Danger zone") };
}

/** Answers a change of the project, which from then on is `project`. */
function aChange(
  method: "post" | "delete",
  path: string,
  message: string,
  change: () => void,
  onCall: (body: unknown) => void = () => {},
) {
  server.use(
    answer(
      method,
      path,
      { message },
      {
        onCall: (body) => {
          onCall(body);
          change();
        },
      },
    ),
  );
}

test("a project without an admin can't be handed over, and the page shows what to do", async () => {
  const { danger } = openDanger({ members: [owner] });

  expect(danger.getByText("Only an admin can take it over. Give a member the admin role first.")).toBeVisible();
  expect(danger.queryByRole("button", { name: "Transfer" })).not.toBeInTheDocument();
});

// spec: danger-1
test("the project is offered to an admin after a question that explains what happens", async () => {
  const sent: unknown[] = [];
  const { danger, user, queryClient } = openDanger();
  const before = queryClient.getQueryData(projectQuery(PROJECT_ID).queryKey);
  aChange(
    "post",
    TRANSFER,
    "The project was offered.",
    () => server.use(answer("get", PROJECT, { ...before, transfer: offered } as Project)),
    (body) => sent.push(body),
  );
  expect(danger.getByRole("button", { name: "Transfer" })).toBeDisabled();

  const choice = danger.getByRole("combobox", { name: "New owner" });
  expect(choice).toHaveTextContent(/^Choose an adminNoor Aziz \(noor@example\.com\)$/);
  await user.selectOptions(choice, "usr_noor");
  await user.click(danger.getByRole("button", { name: "Transfer" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Offer Aurora Travel to Noor Aziz?" }));
  expect(dialog.getByText(/Until then you stay the owner and can withdraw the offer\./)).toBeVisible();
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Offer project" }));

  expect(await danger.findByText(/Offered to Noor Aziz/)).toHaveTextContent("Offered to Noor Aziz 2 hours ago");
  expect(sent).toEqual([{ userId: "usr_noor" }]);
  expect(danger.queryByRole("button", { name: "Transfer" })).not.toBeInTheDocument();
});

// spec: danger-1
test("an open offer can be withdrawn", async () => {
  const { danger, user, queryClient } = openDanger({ transfer: offered });
  const before = queryClient.getQueryData(projectQuery(PROJECT_ID).queryKey);
  aChange("delete", TRANSFER, "The offer has ended.", () =>
    server.use(answer("get", PROJECT, { ...before, transfer: null } as Project)),
  );

  await user.click(danger.getByRole("button", { name: "Withdraw offer" }));

  expect(await danger.findByRole("button", { name: "Transfer" })).toBeInTheDocument();
  expect(await screen.findByText("The offer has ended.")).toBeInTheDocument();
});

test("a refused offer shows why", async () => {
  const { danger, user } = openDanger();
  server.use(refusal("post", TRANSFER, 409, { message: "This project is offered to somebody already." }));

  await user.selectOptions(danger.getByRole("combobox", { name: "New owner" }), "usr_noor");
  await user.click(danger.getByRole("button", { name: "Transfer" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Offer project" }));

  expect(await screen.findByText("This project is offered to somebody already.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

const toMe: Partial<Project> = {
  ...ADMIN,
  members: [aMember("noor", "Noor Aziz", "owner"), aMember("1", "Demo Person", "admin")],
  transfer: { to: { _id: "usr_1", name: "Demo Person", email: "demo@example.com" }, offeredAt: offered.offeredAt },
};

const OFFER =
  /Noor Aziz offers you this project\. Once you accept, you own it with its plan, and Noor Aziz is an admin\./;

// spec: danger-1
test("the admin who was offered the project accepts, and is its owner", async () => {
  const { user, danger, queryClient } = openDanger(toMe);
  const before = queryClient.getQueryData(projectQuery(PROJECT_ID).queryKey);
  expect(screen.getByText(OFFER)).toBeVisible();
  aChange("post", `${TRANSFER}/accept`, "You are the owner of this project now.", () =>
    server.use(
      answer("get", PROJECT, {
        ...before,
        transfer: null,
        role: "owner",
        permissions: ["read", "edit", "publish", "manage", "assign_credits", "audit", "own"],
      } as Project),
    ),
  );

  await user.click(screen.getByRole("button", { name: "Accept" }));

  expect(await screen.findByText("You are the owner of this project now.")).toBeInTheDocument();
  expect(await danger.findByRole("button", { name: "Delete Project" })).toBeVisible();
  expect(screen.queryByText(OFFER)).not.toBeInTheDocument();
});

// spec: danger-1
test("the admin who was offered the project declines, and the offer ends", async () => {
  const { user, queryClient } = openDanger(toMe);
  const before = queryClient.getQueryData(projectQuery(PROJECT_ID).queryKey);
  aChange("delete", TRANSFER, "The offer has ended.", () =>
    server.use(answer("get", PROJECT, { ...before, transfer: null } as Project)),
  );

  await user.click(screen.getByRole("button", { name: "Decline" }));

  expect(await screen.findByText("You declined. The owner stays the owner.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText(OFFER)).not.toBeInTheDocument());
});

test("accepting an offer that was withdrawn shows that it has ended", async () => {
  const { user } = openDanger(toMe);
  server.use(refusal("post", `${TRANSFER}/accept`, 404, { message: "Nobody offers you this project." }));

  await user.click(screen.getByRole("button", { name: "Accept" }));

  expect(await screen.findByText("Nobody offers you this project.")).toBeInTheDocument();
});

test("an offer to somebody else shows no button to accept it", async () => {
  openDanger({ ...toMe, transfer: offered });

  expect(screen.queryByRole("button", { name: "Accept" })).not.toBeInTheDocument();
});

const nothing: ProjectLosses = {
  screens: 0,
  languages: 0,
  keys: 0,
  texts: 0,
  colors: 0,
  images: 0,
  stores: 0,
  items: 0,
  releases: 0,
  members: 0,
  invitations: 0,
};
const much: ProjectLosses = {
  screens: 4,
  languages: 2,
  keys: 301,
  texts: 1204,
  colors: 18,
  images: 1,
  stores: 3,
  items: 120,
  releases: 12,
  members: 2,
  invitations: 1,
};

async function openDelete(project: Partial<Project> = {}, me = aUser(), losses: ProjectLosses | null = much) {
  server.use(
    losses === null
      ? answer("get", `${PROJECT}/losses`, {}, { status: 500 })
      : answer("get", `${PROJECT}/losses`, losses),
  );
  const opened = openDanger({ expiresAt: "2199-11-19T10:00:00Z", ...project }, me);
  await opened.user.click(opened.danger.getByRole("button", { name: "Delete Project" }));
  return { ...opened, dialog: within(await screen.findByRole("dialog", { name: "Delete Aurora Travel?" })) };
}

test("an empty project loses its keys", async () => {
  const { dialog } = await openDelete({}, aUser(), { ...nothing, screens: 1, languages: 1 });

  await dialog.findByText("0 texts of 0 keys in 1 language, in Content - General");
  expect(dialog.getAllByRole("listitem")).toHaveLength(3);
});

// spec: danger-2
test("deleting a project lists exactly what is lost", async () => {
  const { dialog } = await openDelete();

  await dialog.findByText(/1,204 texts/);
  const lost = dialog.getAllByRole("listitem").map((item) => item.textContent);
  expect(lost).toEqual([
    "1,204 texts of 301 keys in 2 languages, in Content - General and 3 screens",
    "18 colours, 1 image and 3 Data Stores with 120 items",
    "12 releases, and the whole history",
    "the access of 2 other members",
    "1 pending invitation",
    "its keys: apps learn that the project is gone (410), keep what they have, and never get an update again",
    "its Growth Tier, which runs until Nov 19, 2199: credits are not given back",
  ]);
});

test("the dialog names the kinds of content when the counts can't be read", async () => {
  const { dialog } = await openDelete({}, aUser(), null);

  expect(await dialog.findByText(/^every text, colour, image, Data Store and item/)).toBeVisible();
});

test("with billing off, deleting does not mention credits", async () => {
  const { dialog } = await openDelete({}, aUser({ billing: "off" }));

  expect(dialog.queryByText(/credits/)).not.toBeInTheDocument();
});

// spec: danger-3
test.each([
  [
    "a message",
    refusal("delete", PROJECT, 403, { message: "Only the owner can do this." }),
    "Only the owner can do this.",
  ],
  ["no message", answer("delete", PROJECT, {}, { status: 500 }), "Delete failed"],
  ["no network", offline("delete", PROJECT), "Delete failed. The server can't be reached. Please try again."],
])("a toast reports a project that could not be deleted (%s)", async (_, failing, text) => {
  const { dialog, user, router } = await openDelete();
  server.use(failing);

  await user.type(await dialog.findByRole("textbox", { name: "Project name" }), "Aurora Travel{Enter}");

  expect(await screen.findByText(`Failed to delete project: ${text}`)).toBeInTheDocument();
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/settings`);
});

// spec: members-15
test.each([
  ["an admin", ADMIN],
  ["a viewer", VIEWER],
])("%s can leave, and reads that only the owner deletes", async (_, project) => {
  const left: string[] = [];
  const { danger, user, router } = openDanger(project);
  expect(danger.getByText("Only the owner can transfer or delete this project.")).toBeVisible();
  expect(danger.queryByRole("button", { name: /Delete|Transfer/ })).not.toBeInTheDocument();
  server.use(
    answer(
      "delete",
      `${PROJECT}/members/:userId`,
      { members: [] },
      {
        onCall: (_body, request) => left.push(new URL(request.url).pathname),
      },
    ),
  );

  await user.click(danger.getByRole("button", { name: "Leave project" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Leave Aurora Travel?" }));
  expect(dialog.getByText(/You lose access at once, and so do apps and tools/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Leave project" }));

  expect(await screen.findByText("You left Aurora Travel.")).toBeInTheDocument();
  expect(left).toEqual([`${PROJECT}/members/usr_1`]);
  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});

test("a member who could not leave reads why", async () => {
  const { danger, user } = openDanger(VIEWER);
  server.use(offline("delete", `${PROJECT}/members/:userId`));

  await user.click(danger.getByRole("button", { name: "Leave project" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Leave project" }));

  expect(
    await screen.findByText("Failed to leave the project. The server can't be reached. Please try again."),
  ).toBeInTheDocument();
  expect(screen.getByRole("dialog")).toBeInTheDocument();
});
