import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderPart } from "@/testing/component";
import { aUser } from "@/testing/fixtures";
import { answer, refusal, server } from "@/testing/server";
import type { Identity } from "./identities";
import { IdentitiesSection } from "./identities-section";

const CALL = "/api/user/identities";

function anIdentity(values: Partial<Identity> = {}): Identity {
  return {
    _id: "idt_1",
    issuer: "https://id.example",
    createdAt: "2026-11-19T10:00:00Z",
    current: true,
    ...values,
  };
}

async function openSection(identities: Identity[], { hasPassword = true, hash = "" } = {}) {
  server.use(answer("get", CALL, { name: "Acme", hasPassword, identities }));
  const opened = renderPart(<IdentitiesSection />, { at: `/settings${hash}`, me: aUser() });
  return { ...opened, section: within(await screen.findByRole("region", { name: "Single sign-on" })) };
}

test("a server without single sign-on has no such section", async () => {
  const asked: unknown[] = [];
  const none = { name: null, hasPassword: true, identities: [] };
  server.use(answer("get", CALL, none, { onCall: () => asked.push(1) }));
  renderPart(<IdentitiesSection />, { at: "/settings", me: aUser() });
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByRole("region")).not.toBeInTheDocument();
});

test("connecting asks for the password, shows what is wrong with it, and continues at the provider", async () => {
  const bodies: unknown[] = [];
  const assign = vi.fn();
  vi.stubGlobal("location", { ...window.location, origin: window.location.origin, assign });
  const { section, user } = await openSection([]);
  await user.click(section.getByRole("button", { name: "Connect Acme" }));
  const field = section.getByLabelText("Current Password");
  expect(field).toHaveFocus();
  await user.click(section.getByRole("button", { name: "Continue" }));
  expect(await section.findByText("Enter your password.")).toBeVisible();
  server.use(
    refusal("post", `${CALL}/start`, 422, { message: "No", fields: { password: "This is not your password." } }),
  );
  await user.type(field, "wrong");
  await user.click(section.getByRole("button", { name: "Continue" }));
  expect(await section.findByText("This is not your password.")).toBeVisible();
  expect(field).toHaveValue("wrong");

  const start = { url: "https://id.example/auth?state=x" };
  server.use(answer("post", `${CALL}/start`, start, { onCall: (body) => bodies.push(body) }));
  await user.click(section.getByRole("button", { name: "Continue" }));

  await waitFor(() => expect(assign).toHaveBeenCalledWith("https://id.example/auth?state=x"));
  expect(bodies).toEqual([{ password: "wrong" }]);
});

test("a new connection is confirmed after the return from the provider, and ended only after a question", async () => {
  const ended: string[] = [];
  const { section, user } = await openSection([anIdentity()], { hash: "#sso=connected" });
  expect(await section.findByRole("status")).toHaveTextContent("Acme is connected.");
  server.use(
    answer(
      "delete",
      `${CALL}/:id`,
      { message: "Single sign-on was disconnected." },
      { onCall: (_, request) => ended.push(new URL(request.url).pathname) },
    ),
  );
  await user.click(section.getByRole("button", { name: "Disconnect Acme" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Disconnect single sign-on?" }));
  expect(ended).toEqual([]);
  server.use(answer("get", CALL, { name: "Acme", hasPassword: true, identities: [] }));

  await user.click(dialog.getByRole("button", { name: "Disconnect" }));

  expect(await screen.findByText("Single sign-on was disconnected.")).toBeInTheDocument();
  expect(await section.findByRole("button", { name: "Connect Acme" })).toBeVisible();
  expect(ended).toEqual([`${CALL}/idt_1`]);
});

test("a person without a password reads how to get a password, in place of a button", async () => {
  const { section } = await openSection([anIdentity()], { hasPassword: false });
  expect(section.getByText(/first set a password/)).toBeVisible();
  expect(section.queryByRole("button")).not.toBeInTheDocument();
});

test("a failure at the provider is shown in the section", async () => {
  const { section } = await openSection([], { hash: "#sso=taken" });
  expect(await section.findByRole("alert")).toHaveTextContent(
    "This identity is connected to a different Livery account.",
  );
});

test("an identity at a former provider is shown by its address", async () => {
  const { section } = await openSection([anIdentity({ current: false })]);
  expect(section.getByText("Connected to https://id.example")).toBeVisible();
  expect(section.getByRole("button", { name: "Connect Acme" })).toBeVisible();
});
