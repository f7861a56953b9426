/** Changing a colour and its key. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { heard } from "@/testing/browser";
import { aColor, COLORS, openColors, page, primary, writeValue } from "@/testing/colors";
import { renderInProject } from "@/testing/component";
import { aDiff, languages, PROJECT_ID } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";
import { Discarding } from "../publishing/discarding";

// spec: color-10
test("a colour that somebody else changed is shown before it is overwritten", async () => {
  const current = aColor("primary", "#111111", { revision: 4 });
  const stale = { message: "Somebody changed it.", code: "stale_revision", by: "Noor Aziz" };
  const { user } = await openColors();
  server.use(
    http.put(`*${COLORS}/primary`, async ({ request }) => {
      const body = (await request.json()) as { revision: number; value: string };
      return body.revision === 4
        ? HttpResponse.json(aColor("primary", body.value, { revision: 5, state: "changed" }))
        : HttpResponse.json({ ...stale, current }, { status: 409 });
    }),
  );

  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  const form = within(screen.getByRole("form", { name: "Edit primary" }));
  await user.clear(form.getByRole("textbox", { name: "Hex value" }));
  await user.type(form.getByRole("textbox", { name: "Hex value" }), "#c8371c{Enter}");
  expect(await form.findByText("Noor Aziz changed this colour to #111111. Save again to keep yours.")).toBeVisible();
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("#c8371c")).toBeVisible();
  expect(screen.getByText("Changed")).toBeVisible();
});

test("after a colour is saved its pencil has the focus, under a new key too", async () => {
  const { user } = await openColors();
  server.use(answer("put", `${COLORS}/primary`, aColor("brand", "#0b5d5e", { revision: 2, state: "changed" })));
  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  const form = within(screen.getByRole("form", { name: "Edit primary" }));
  expect(form.getByRole("textbox", { name: "Hex value" })).toHaveFocus();
  expect(form.queryByRole("textbox", { name: "Key" })).not.toBeInTheDocument();
  await user.click(form.getByRole("button", { name: "Rename…" }));
  expect(form.getByText(/apps lose/)).toHaveTextContent("With the next publish apps lose primary");
  const key = form.getByRole("textbox", { name: "Key" });

  await user.clear(key);
  await user.type(key, "brand{Enter}");

  await waitFor(() => expect(screen.getByRole("button", { name: "Edit brand" })).toHaveFocus());
});

test("a released colour that was renamed gets its key back by 'Undo'; its row shows the former key until then", async () => {
  const sent: unknown[] = [];
  const { user } = await openColors();
  server.use(
    http.put(`*${COLORS}/:key`, async ({ request, params }) => {
      const body = (await request.json()) as { key: string; revision: number };
      sent.push([params["key"], body.key, body.revision]);
      return HttpResponse.json(
        body.key === "brand"
          ? aColor("brand", "#0b5d5e", { revision: 7, state: "new", renamedFrom: "primary" })
          : aColor("primary", "#0b5d5e", { revision: 9 }),
      );
    }),
  );
  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  const form = within(screen.getByRole("form", { name: "Edit primary" }));
  await user.click(form.getByRole("button", { name: "Rename…" }));
  await user.clear(form.getByRole("textbox", { name: "Key" }));
  await user.type(form.getByRole("textbox", { name: "Key" }), "brand{Enter}");

  expect(await screen.findByText("“primary” is “brand” now.")).toBeInTheDocument();
  expect(screen.getByTitle("Apps have this as primary until the next publish.")).toHaveTextContent("primary");
  await user.click(screen.getByRole("button", { name: "Undo" }));

  expect(await screen.findByRole("button", { name: "Edit primary" })).toBeInTheDocument();
  expect(screen.queryByTitle(/^Apps have this as/)).not.toBeInTheDocument();
  expect(sent).toEqual([
    ["primary", "brand", 1],
    ["brand", "primary", 7],
  ]);
});

test("six digits are a colour without their #, and a double click adds it once", async () => {
  const sent: unknown[] = [];
  const { user } = await openColors();
  server.use(
    answer("post", COLORS, aColor("accent", "#f0a04b", { state: "new" }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );
  await writeValue(user, "Add a colour", "F0A04B");
  const form = within(screen.getByRole("form", { name: "Add a colour" }));
  await user.type(form.getByRole("textbox", { name: "Key" }), "accent");

  // Faster than anything is drawn, and then on the next form, which a fast answer has brought.
  fireEvent.click(form.getByRole("button", { name: "Add colour" }), { detail: 1 });
  fireEvent.click(form.getByRole("button", { name: "Add colour" }), { detail: 1 });
  expect(await screen.findByRole("button", { name: "Edit accent" })).toBeInTheDocument();
  fireEvent.click(screen.getByRole("button", { name: "Add colour" }), { detail: 2 });

  expect(sent).toEqual([{ key: "accent", value: "#F0A04B", nickname: "" }]);
  expect(screen.queryByText("Color key cannot be empty.")).not.toBeInTheDocument();
});

// spec: color-1
test("a click on the swatch, the value or the nickname opens the form", async () => {
  const { user } = await openColors();
  for (const part of ["#0b5d5e", "Fjord"]) {
    await user.click(screen.getByText(part));
    expect(screen.getByRole("form", { name: "Edit primary" })).toBeVisible();
    await user.keyboard("{Escape}");
  }
  expect(screen.queryByRole("form", { name: "Edit primary" })).not.toBeInTheDocument();
});

// spec: color-2
test("the picker and the hex field are kept in step", async () => {
  const { user } = await openColors();
  const form = within(screen.getByRole("form", { name: "Add a colour" }));
  const value = form.getByRole("textbox", { name: "Hex value" });

  await user.clear(value);
  await user.type(value, "#ff0000");
  await user.click(form.getByRole("button", { name: "Choose the colour" }));
  const picker = within(await screen.findByRole("dialog", { name: "Choose the colour" }));
  const hue = picker.getByRole("slider", { name: "Hue" });
  expect(hue).toHaveAttribute("aria-valuenow", "0");
  fireEvent.keyDown(hue, { keyCode: 39, which: 39, key: "ArrowRight" });

  expect(value).not.toHaveValue("#ff0000");
  expect((value as HTMLInputElement).value).toMatch(/^#ff[0-9a-f]{2}00$/);
  fireEvent.keyDown(hue, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Choose the colour" })).not.toBeInTheDocument());
});

// spec: color-2
test("closing the picker of a colour that is edited keeps what was written", async () => {
  const { user } = await openColors();
  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  const form = within(screen.getByRole("form", { name: "Edit primary" }));
  await user.click(form.getByRole("button", { name: "Choose the colour" }));
  await screen.findByRole("dialog", { name: "Choose the colour" });

  await user.keyboard("{Escape}");

  expect(screen.getByRole("form", { name: "Edit primary" })).toBeVisible();
});

test("a changed colour offers to discard its change, which can be undone", async () => {
  const calls: unknown[] = [];
  const change = {
    ref: "color:accent",
    key: "accent",
    change: "changed" as const,
    by: "Ada Lovelace",
    at: "2026-11-20T10:00:00Z",
    old: "#0b5d5e",
    new: "#c8371c",
    oldNickname: "",
    newNickname: "",
  };
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", COLORS, { colors: [...primary(), aColor("accent", "#c8371c", { state: "changed" })] }),
    answer("get", `/api/projects/${PROJECT_ID}/diff`, aDiff({ total: 1, colors: [change] })),
    answer(
      "post",
      `/api/projects/${PROJECT_ID}/discard`,
      { message: "Discarded 1 change.", discarded: 1, keptAt: "2026-11-20T12:00:00.000Z" },
      {
        onCall: (body) => {
          calls.push(body);
          server.use(answer("get", COLORS, { colors: [...primary(), aColor("accent", "#0b5d5e")] }));
        },
      },
    ),
    answer(
      "post",
      `/api/projects/${PROJECT_ID}/discard/undo`,
      { message: "The discarded changes are back." },
      { onCall: (body) => calls.push(body) },
    ),
  );
  const heardColors = heard("translationsUpdated");
  const { user } = renderInProject(<Discarding>{page}</Discarding>, {}, { at: "colors" });
  const button = await screen.findByRole("button", { name: "Discard changes of accent" });
  expect(screen.queryByRole("button", { name: "Discard changes of primary" })).not.toBeInTheDocument();

  await user.click(button);

  expect(await screen.findByText("Discarded the change of accent.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText("#c8371c")).not.toBeInTheDocument());
  expect(heardColors).toContainEqual({ projectId: PROJECT_ID, screen: "__UNPUBLISHED_COLORS__" });
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("The discarded changes are back.")).toBeInTheDocument();
  expect(calls).toEqual([{ changes: ["color:accent"], expected: "token-1" }, { keptAt: "2026-11-20T12:00:00.000Z" }]);
});
