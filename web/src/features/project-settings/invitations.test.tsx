/** Invitations to a project. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { FUTURE, invited, MEMBERS, openMembers, PAST, team } from "@/testing/members-section";
import { answer, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const NO_PLAN: Partial<Project> = { activeTier: "none", tierName: "No Active Plan", plan: "free", expiresAt: null };

beforeEach(() => {
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }));
});

// spec: members-2, members-7
test("an invitation needs an email, is for an editor by default, and takes a seat", async () => {
  const bodies: unknown[] = [];
  const { user, section } = await openMembers();
  server.use(
    answer(
      "post",
      MEMBERS,
      { message: "The invitation is on its way.", members: [...team, invited("lin", FUTURE)] },
      {
        status: 201,
        onCall: (body) => bodies.push(body),
      },
    ),
  );
  await user.click(await section.findByRole("button", { name: "Invite member" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Invite member" }));
  const send = await dialog.findByRole("button", { name: "Send invitation" });
  expect(dialog.getByRole("radio", { name: "Editor" })).toBeChecked();
  expect(dialog.getByRole("radio", { name: "Viewer" })).toHaveAccessibleDescription(
    "Reads everything, changes nothing.",
  );

  await user.click(send);
  expect(await dialog.findByText("Email is required.")).toBeVisible();
  await user.type(dialog.getByLabelText("Email"), "lin");
  await user.click(send);
  expect(await dialog.findByText("Enter an email address, like name@example.com.")).toBeVisible();
  expect(bodies).toEqual([]);
  await enter(user, dialog.getByLabelText("Email"), "@example.com");
  await user.click(dialog.getByRole("radio", { name: "Viewer" }));
  await user.click(send);

  expect(await screen.findByText("The invitation is on its way.")).toBeInTheDocument();
  expect(await section.findByText("lin@example.com")).toBeVisible();
  expect(section.getByText("3 / 3 seats taken")).toBeVisible();
  expect(bodies).toEqual([{ email: "lin@example.com", role: "viewer" }]);
});

// spec: members-8
test.each([
  [
    "at the field that the server names",
    refusal("post", MEMBERS, 409, {
      message: "This person is in the project already.",
      fields: { email: "This person is in the project already." },
    }),
    "This person is in the project already.",
  ],
  [
    "in the server's words",
    refusal("post", MEMBERS, 429, { message: "A project can send 20 invitations a day. Please try again later." }),
    "A project can send 20 invitations a day. Please try again later.",
  ],
  ["in our words", answer("post", MEMBERS, {}, { status: 500 }), "Failed to invite member"],
])("a refused invitation is reported inside the dialog, %s", async (_, refused, text) => {
  server.use(refused);
  const { user, section } = await openMembers();
  await user.click(await section.findByRole("button", { name: "Invite member" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Invite member" }));
  await enter(user, await dialog.findByLabelText("Email"), "lin@example.com");

  await user.click(dialog.getByRole("button", { name: "Send invitation" }));

  expect(await dialog.findByText(text)).toBeVisible();
  expect(dialog.getByLabelText("Email")).toHaveValue("lin@example.com");
});

// spec: members-6
test("an expired invitation takes no seat", async () => {
  const { section, row } = await openMembers([...team, invited("lin", PAST)]);

  expect((await row("lin@example.com")).getByText("Expired")).toBeVisible();
  expect(section.getByText("2 / 3 seats taken")).toBeVisible();
  expect(section.getByRole("button", { name: "Invite member" })).toBeVisible();
});

// spec: members-9
test("an invitation is sent again, and withdrawn", async () => {
  const calls: string[] = [];
  const onCall = (_: unknown, request: Request) => calls.push(`${request.method} ${new URL(request.url).pathname}`);
  const { user, section, row } = await openMembers([...team, invited("lin", FUTURE)]);
  server.use(
    answer("post", `${MEMBERS}/inv_lin/resend`, { message: "The invitation is on its way again." }, { onCall }),
    answer("delete", `${MEMBERS}/inv_lin`, { members: team }, { onCall }),
  );

  await user.click(
    (await row("lin@example.com")).getByRole("button", { name: "Resend the invitation of lin@example.com" }),
  );
  expect(await screen.findByText("The invitation is on its way again.")).toBeInTheDocument();
  await user.click((await row("lin@example.com")).getByRole("button", { name: "Withdraw lin@example.com" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Withdraw the invitation of lin@example.com?" }));
  expect(dialog.getByText("The link in the mail stops working, and the seat is free again.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Withdraw invitation" }));

  await waitFor(() => expect(section.queryByText("lin@example.com")).not.toBeInTheDocument());
  expect(section.getByText("2 / 3 seats taken")).toBeVisible();
  expect(calls).toEqual([`POST ${MEMBERS}/inv_lin/resend`, `DELETE ${MEMBERS}/inv_lin`]);
});

test("the link of a waiting invitation is copied; without a link there is no button for it", async () => {
  const inviteLink = "https://livery.example/invite/tok_lin";
  const lin = { ...invited("lin", FUTURE), inviteLink };
  const { user, section } = await openMembers([...team, lin, invited("old", FUTURE)]);

  await user.click(await section.findByRole("button", { name: /^Copy invite link/ }));

  expect(await screen.findByText("Invite link copied!")).toBeInTheDocument();
  expect(await window.navigator.clipboard.readText()).toBe(inviteLink);
});

// spec: members-9
test("without a plan an invitation can't be sent again, and the button shows why", async () => {
  const { user, row } = await openMembers([...team, invited("lin", FUTURE)], NO_PLAN);
  const resend = (await row("lin@example.com")).getByRole("button", { name: /^Resend/ });
  expect(resend).toHaveAttribute("aria-disabled", "true");

  await user.hover(resend);

  expect(await screen.findByRole("tooltip")).toHaveTextContent("Activate a plan for this project to manage members.");
});

test("an invitation that was not sent is offered again, for its project; Cancel gives it up", async () => {
  const openInvite = async () => {
    const opened = await openMembers();
    await opened.user.click(await opened.section.findByRole("button", { name: "Invite member" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Invite member" }));
    return { ...opened, dialog, email: await dialog.findByLabelText("Email") };
  };
  const first = await openInvite();
  await enter(first.user, first.email, "lin@example.com");
  await first.user.click(first.dialog.getByRole("radio", { name: "Viewer" }));
  first.unmount();

  const second = await openInvite();
  await second.user.click(await findOfferOfText());
  expect(second.email).toHaveValue("lin@example.com");
  expect(second.dialog.getByRole("radio", { name: "Viewer" })).toBeChecked();
  await second.user.click(second.dialog.getByRole("button", { name: "Cancel" }));
  second.unmount();

  await openInvite();
  expect(offerOfText()).not.toBeInTheDocument();
});
