import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderPart } from "@/testing/component";
import { CREATION_OPTIONS, encoded, SIGNED, withPasskeys } from "@/testing/passkeys";
import { answer, refusal, server } from "@/testing/server";
import { aSession } from "@/testing/settings";
import { enter } from "@/testing/typing";
import type { SecondFactors } from "./second-factors";
import { TwoFactorSection } from "./two-factor-section";

const CODES = Array.from({ length: 10 }, (_, at) => `aaaa-bbbb-cccc-ddd${at}`);
const SETUP = { secret: "JBSWY3DPEHPK3PXP", uri: "otpauth://totp/Livery:demo?secret=JBSWY3DPEHPK3PXP" };
const LAPTOP = { _id: "psk_1", name: "Laptop", createdAt: "2026-11-19T10:00:00Z", lastUsedAt: null };

function openSection(factors: Partial<SecondFactors> = {}) {
  server.use(
    answer("get", "/api/user/second-factors", { totpSince: null, passkeys: [], recoveryCodesLeft: 0, ...factors }),
    answer("get", "/api/user/sessions", { sessions: [aSession()] }),
  );
  return renderPart(<TwoFactorSection email="demo@example.com" />);
}

/** jsdom's files have no `text()`. */
const textOf = (file: Blob | undefined) =>
  new Promise<unknown>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsText(file ?? new Blob());
  });

const dialog = async () => within(await screen.findByRole("dialog"));

test("the section shows what is set up, and how many recovery codes are left", async () => {
  openSection({ totpSince: "2026-11-19T10:00:00Z", passkeys: [LAPTOP], recoveryCodesLeft: 2 });

  expect(await screen.findByText("On")).toBeVisible();
  expect(screen.getByText("Laptop")).toBeVisible();
  expect(screen.getByText(/2 of 10 are left/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Remove the app" })).toBeVisible();
});

test("setting up an app asks for the password, shows the key, and shows recovery codes until they are kept", async () => {
  const bodies: unknown[] = [];
  const onCall = (body: unknown) => bodies.push(body);
  server.use(
    answer("post", "/api/user/second-factors/totp", SETUP, { status: 201, onCall }),
    answer(
      "post",
      "/api/user/second-factors/totp/confirm",
      { message: "The authenticator app is set up.", recoveryCodes: CODES },
      { onCall },
    ),
  );
  const { user } = openSection();
  await user.click(await screen.findByRole("button", { name: "Set up" }));
  const password = await (await dialog()).findByLabelText("Password");
  await waitFor(() => expect(password).toHaveFocus());
  await enter(user, password, "a long password");
  await user.click(screen.getByRole("button", { name: "Continue" }));

  expect(await screen.findByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  expect(screen.getByText("JBSW Y3DP EHPK 3PXP")).toBeVisible();
  await user.type(screen.getByLabelText("Code of the app"), "123456");
  await user.click(screen.getByRole("button", { name: "Turn on" }));

  const list = within(await screen.findByRole("list", { name: "Recovery codes" }));
  expect(list.getAllByRole("listitem").map((item) => item.textContent)).toEqual(CODES);
  expect(bodies).toEqual([{ password: "a long password" }, { code: "123456" }]);
  await user.keyboard("{Escape}");
  expect(screen.getByRole("dialog")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await window.navigator.clipboard.readText()).toBe(CODES.join("\n"));
  expect(screen.getByRole("button", { name: "Done" })).toBeDisabled();
  await user.click(screen.getByLabelText("I have kept them"));
  await user.click(screen.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("recovery codes can be printed and downloaded", async () => {
  server.use(answer("post", "/api/user/second-factors/recovery-codes", { recoveryCodes: CODES }, { status: 201 }));
  const print = vi.spyOn(window, "print").mockReturnValue();
  const files: Blob[] = [];
  URL.createObjectURL = (file) => {
    files.push(file as Blob);
    return "blob:codes";
  };
  URL.revokeObjectURL = () => {};
  const { user } = openSection({ totpSince: "2026-11-19T10:00:00Z" });
  await user.click(await screen.findByRole("button", { name: "Make new codes" }));
  await enter(user, await (await dialog()).findByLabelText("Password"), "a long password");
  await user.click(await (await dialog()).findByRole("button", { name: "Make new codes" }));

  await user.click(await screen.findByRole("button", { name: "Print" }));
  await user.click(screen.getByRole("button", { name: "Download" }));

  expect(print).toHaveBeenCalledOnce();
  expect(await textOf(files[0])).toContain(CODES.join("\n"));
});

test("a wrong password is reported at its field, and what was typed stays", async () => {
  server.use(
    refusal("delete", "/api/user/second-factors/totp", 422, {
      message: "No",
      fields: { password: "This is not your password." },
    }),
  );
  const { user } = openSection({ totpSince: "2026-11-19T10:00:00Z" });
  await user.click(await screen.findByRole("button", { name: "Remove the app" }));
  await user.click(await (await dialog()).findByRole("button", { name: "Remove" }));
  expect(await screen.findByText("Enter your password.")).toBeVisible();
  await user.type(await (await dialog()).findByLabelText("Password"), "wrong");
  await user.click(await (await dialog()).findByRole("button", { name: "Remove" }));

  expect(await screen.findByText("This is not your password.")).toBeVisible();
  expect(await (await dialog()).findByLabelText("Password")).toHaveValue("wrong");
});

test("a change continues with the second factor if the server asks for it", async () => {
  const bodies: { ticket?: string }[] = [];
  const step = {
    message: "Enter the code of your authenticator app.",
    code: "second_factor_needed",
    ticket: "tick_1",
    methods: ["totp"],
    passkeyOptions: null,
  };
  server.use(refusal("delete", "/api/user/second-factors/totp", 403, step));
  const { user } = openSection({ totpSince: "2026-11-19T10:00:00Z" });
  await user.click(await screen.findByRole("button", { name: "Remove the app" }));
  await enter(user, await (await dialog()).findByLabelText("Password"), "a long password");
  await user.click(await (await dialog()).findByRole("button", { name: "Remove" }));

  const field = await screen.findByLabelText("Code of your authenticator app");
  server.use(
    answer(
      "delete",
      "/api/user/second-factors/totp",
      { message: "The authenticator app was removed." },
      { onCall: (body) => bodies.push(body as { ticket?: string }) },
    ),
  );
  await user.type(field, "123456");
  await user.click(await (await dialog()).findByRole("button", { name: "Remove" }));

  expect(await screen.findByText("The authenticator app was removed.")).toBeInTheDocument();
  expect(bodies).toEqual([{ password: "a long password", ticket: "tick_1", code: "123456" }]);
});

test("a passkey is made by the browser, named, renamed and removed", async () => {
  const asked = withPasskeys();
  const bodies: unknown[] = [];
  const onCall = (body: unknown) => bodies.push(body);
  server.use(
    answer("post", "/api/user/second-factors/passkeys/options", { ticket: "tick_1", options: CREATION_OPTIONS }),
    answer(
      "post",
      "/api/user/second-factors/passkeys",
      { message: "The passkey was added.", recoveryCodes: null },
      { status: 201, onCall },
    ),
    answer("put", "/api/user/second-factors/passkeys/psk_1", LAPTOP, { onCall }),
    answer("delete", "/api/user/second-factors/passkeys/psk_1", { message: "The passkey was removed." }, { onCall }),
  );
  const { user } = openSection({ passkeys: [LAPTOP], recoveryCodesLeft: 10 });
  await user.click(await screen.findByRole("button", { name: "Add a passkey" }));
  await enter(user, await (await dialog()).findByLabelText("Password"), "a long password");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  const name = await screen.findByLabelText("Name of the passkey");
  await user.clear(name);
  await enter(user, name, "Key ring");
  await user.click(screen.getByRole("button", { name: "Create passkey" }));
  expect(await screen.findByText("The passkey was added.")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Rename Laptop" }));
  const field = await (await dialog()).findByLabelText("Name of the passkey");
  expect(field).toHaveValue("Laptop");
  await user.clear(field);
  await user.type(field, "Desk");
  await user.click(await (await dialog()).findByRole("button", { name: "Rename" }));
  expect(await screen.findByText("The passkey was renamed.")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Remove Laptop" }));
  await enter(user, await (await dialog()).findByLabelText("Password"), "a long password");
  await user.click(await (await dialog()).findByRole("button", { name: "Remove" }));
  expect(await screen.findByText("The passkey was removed.")).toBeInTheDocument();

  const response = {
    clientDataJSON: encoded("client data"),
    attestationObject: encoded("attested"),
    transports: ["internal"],
  };
  expect(bodies).toEqual([
    { ticket: "tick_1", name: "Key ring", passkey: { ...SIGNED, response } },
    { name: "Desk" },
    { password: "a long password" },
  ]);
  expect(asked).toMatchObject([{ publicKey: { rp: { id: "localhost" } } }]);
});

test("a device that has a passkey already shows that", async () => {
  withPasskeys({ fails: new DOMException("there", "InvalidStateError") });
  server.use(
    answer("post", "/api/user/second-factors/passkeys/options", { ticket: "tick_1", options: CREATION_OPTIONS }),
  );
  const { user } = openSection();
  await user.click(await screen.findByRole("button", { name: "Add a passkey" }));
  await enter(user, await (await dialog()).findByLabelText("Password"), "a long password");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await user.click(await screen.findByRole("button", { name: "Create passkey" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("This device has a passkey already.");
});

test("a browser without passkeys offers no passkey", async () => {
  openSection({ passkeys: [LAPTOP] });

  expect(await screen.findByText("This browser can't use passkeys at this address.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Add a passkey" })).not.toBeInTheDocument();
});
