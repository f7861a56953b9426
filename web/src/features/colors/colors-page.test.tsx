import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Answer } from "@/lib/api-types";
import { aProject } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

const ID = "prj_k7m2xq4tz8ha3b5c";
const COLORS = `/api/colors/${ID}`;
type Color = Answer<"/api/colors/{projectId}", "get">["colors"][number];

const aColor = (key: string, value: string, more: Partial<Color> = {}): Color => ({
  key,
  value,
  nickname: "",
  revision: 1,
  state: "published",
  updatedAt: "2026-11-19T10:00:00Z",
  ...more,
});

async function openColors(colors: Color[] = [aColor("primary", "#0b5d5e", { nickname: "Fjord" })]) {
  server.use(answer("get", `/api/projects/${ID}`, aProject()), answer("get", COLORS, { colors }));
  const opened = openSignedIn(`/projects/${ID}/colors`);
  await screen.findByRole("form", { name: "Add a colour" });
  return opened;
}

test("a colour is added after its key and value were checked", async () => {
  const sent: unknown[] = [];
  const { user } = await openColors();
  server.use(
    answer("post", COLORS, aColor("accent", "#f0a04b", { state: "new" }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );
  const form = within(screen.getByRole("form", { name: "Add a colour" }));
  const [key, value] = [form.getByRole("textbox", { name: "Key" }), form.getByRole("textbox", { name: "Hex value" })];
  expect(value).toHaveValue("#000000");

  await user.click(form.getByRole("button", { name: "Add colour" }));
  expect(await form.findByText("Color key cannot be empty.")).toBeVisible();
  await user.type(key, "primary{Enter}");
  expect(await form.findByText('Color key "primary" already exists.')).toBeVisible();
  await user.clear(key);
  await user.clear(value);
  await user.type(value, "#12345");
  await user.type(key, "accent{Enter}");
  expect(await form.findByText("Invalid color hex value. Please use format like #RRGGBB.")).toBeVisible();
  await user.clear(value);
  await user.type(value, "#F0A04B{Enter}");

  expect(await screen.findByRole("button", { name: "Edit accent" })).toBeInTheDocument();
  expect(sent).toEqual([{ key: "accent", value: "#F0A04B", nickname: "" }]);
});

test("a colour that somebody else changed is shown before it is overwritten", async () => {
  const current = aColor("primary", "#111111", { revision: 4 });
  const { user } = await openColors();
  server.use(
    http.put(`*${COLORS}/primary`, async ({ request }) => {
      const body = (await request.json()) as { revision: number; value: string };
      return body.revision === 4
        ? HttpResponse.json(aColor("primary", body.value, { revision: 5, state: "changed" }))
        : HttpResponse.json({ message: "Somebody changed it.", code: "stale_revision", current }, { status: 409 });
    }),
  );

  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  const form = within(screen.getByRole("form", { name: "Edit primary" }));
  await user.clear(form.getByRole("textbox", { name: "Hex value" }));
  await user.type(form.getByRole("textbox", { name: "Hex value" }), "#c8371c{Enter}");
  expect(
    await form.findByText("Somebody else changed this colour to #111111. Save again to keep yours."),
  ).toBeVisible();
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("#c8371c")).toBeVisible();
  expect(screen.getByText("Changed")).toBeVisible();
});

test("a click on the swatch, the value or the nickname opens the form", async () => {
  const { user } = await openColors();
  for (const part of ["#0b5d5e", "Fjord"]) {
    await user.click(screen.getByText(part));
    expect(screen.getByRole("form", { name: "Edit primary" })).toBeVisible();
    await user.keyboard("{Escape}");
  }
  expect(screen.queryByRole("form", { name: "Edit primary" })).not.toBeInTheDocument();
});

test("deleting a colour asks first", async () => {
  const { user } = await openColors();
  server.use(answer("delete", `${COLORS}/primary`, { message: "Colour deleted." }));

  await user.click(screen.getByRole("button", { name: "Delete primary" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/Apps keep it until you publish\./)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Delete colour" }));

  expect(await screen.findByText(/No colours yet\./)).toBeVisible();
});
