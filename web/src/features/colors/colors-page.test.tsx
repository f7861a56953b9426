import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Answer, Project } from "@/lib/api-types";
import { heard, withLocks } from "@/testing/browser";
import { renderInProject } from "@/testing/component";
import { aDiff, aProject, languages, PROJECT_ID } from "@/testing/fixtures";
import { openInProject } from "@/testing/in-project";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { openSignedIn } from "@/testing/open";
import { answer, eventStream, offline, server } from "@/testing/server";
import { Discarding } from "../publishing/discarding";
import { ColorsPage } from "./colors-page";

const COLORS = `/api/colors/${PROJECT_ID}`;
type Color = Answer<"/api/colors/{projectId}", "get">["colors"][number];

const aColor = (key: string, value: string, more: Partial<Color> = {}): Color => ({
  key,
  value,
  nickname: "",
  revision: 1,
  state: "published",
  renamedFrom: null,
  updatedAt: "2026-11-19T10:00:00Z",
  ...more,
});

const primary = () => [aColor("primary", "#0b5d5e", { nickname: "Fjord" })];

/** With the whole dashboard around the page. */
async function openDashboard() {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject()),
    answer("get", "/api/languages", { languages }),
    answer("get", COLORS, { colors: primary() }),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/colors`);
  await screen.findByRole("form", { name: "Add a colour" });
  return opened;
}

const page = <ColorsPage HistoryButton={() => null} />;

async function openColors(colors: Color[] = primary(), project: Partial<Project> = {}) {
  server.use(answer("get", COLORS, { colors }));
  const opened = openInProject(page, project);
  await screen.findByRole("form", { name: "Add a colour" });
  return opened;
}

// spec: color-3, color-4, color-5, color-6
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

const writeValue = async (user: Awaited<ReturnType<typeof openColors>>["user"], name: string, value: string) => {
  const field = within(screen.getByRole("form", { name })).getByRole("textbox", { name: "Hex value" });
  await user.clear(field);
  await user.type(field, value);
};

test("opening a different row asks first about unsaved text in the open row", async () => {
  const { user } = await openColors([aColor("primary", "#0b5d5e"), aColor("accent", "#f0a04b")]);
  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  await writeValue(user, "Edit primary", "#c8371c");

  await user.click(screen.getByRole("button", { name: "Edit accent" }));
  await user.click(await screen.findByRole("button", { name: "Keep editing" }));
  const form = within(screen.getByRole("form", { name: "Edit primary" }));
  expect(form.getByRole("textbox", { name: "Hex value" })).toHaveValue("#c8371c");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await user.click(screen.getByRole("button", { name: "Edit accent" }));
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));

  expect(await screen.findByRole("form", { name: "Edit accent" })).toBeInTheDocument();
  expect(screen.queryByRole("form", { name: "Edit primary" })).not.toBeInTheDocument();
});

test("leaving the page asks first about unsaved text in the line to add", async () => {
  const { user, router } = await openDashboard();
  const leave = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leave()).toBe(true);
  await writeValue(user, "Add a colour", "#c8371c");

  expect(leave()).toBe(false);
  void router.navigate(`/projects/${PROJECT_ID}/images`);
  await user.click(await screen.findByText("Keep editing"));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/colors`);
});

test("leaving the page discards an edited colour and a new colour", async () => {
  server.use(answer("get", "/api/projects", []), answer("get", "/api/activity", []));
  const { user, router } = await openDashboard();
  const form = () => within(screen.getByRole("form", { name: "Add a colour" }));
  await user.type(form().getByRole("textbox", { name: "Key" }), "accent");
  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  const edited = within(screen.getByRole("form", { name: "Edit primary" }));
  await user.type(edited.getByRole("textbox", { name: "Nickname" }), " green");

  void router.navigate("/dashboard");
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));

  expect(Object.keys(window.localStorage).filter((key) => key.startsWith("keptText:"))).toEqual([]);
});

test("unsaved text of a new and of an edited colour is kept on the device, with what its author saw", async () => {
  const sent: unknown[] = [];
  const openAgain = async (colors: Color[]) => {
    server.use(answer("get", COLORS, { colors }));
    const opened = renderInProject(page);
    const form = within(await screen.findByRole("form", { name: "Add a colour" }));
    return { ...opened, form };
  };
  const first = await openAgain(primary());
  await first.user.type(first.form.getByRole("textbox", { name: "Key" }), "accent");
  await first.user.click(screen.getByRole("button", { name: "Edit primary" }));
  const edit = () => within(screen.getByRole("form", { name: "Edit primary" }));
  await first.user.type(edit().getByRole("textbox", { name: "Nickname" }), " green");
  first.unmount();

  const theirs = aColor("primary", "#112233", { nickname: "Fjord", revision: 2 });
  const { user, form } = await openAgain([theirs]);
  await user.click(form.getByRole("button", { name: "Continue what you wrote" }));
  expect(form.getByRole("textbox", { name: "Key" })).toHaveValue("accent");
  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  await user.click(edit().getByRole("button", { name: "Continue what you wrote" }));
  expect(edit().getByRole("textbox", { name: "Nickname" })).toHaveValue("Fjord green");
  server.use(answer("put", `${COLORS}/primary`, theirs, { onCall: (body) => sent.push(body) }));
  await user.click(edit().getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ nickname: "Fjord green", revision: 1 })]));
});

test("an offer of kept text ends with the first character that is typed, and returns with the next visit", async () => {
  const openForm = async () => {
    server.use(answer("get", COLORS, { colors: primary() }));
    const opened = renderInProject(page);
    const form = within(await screen.findByRole("form", { name: "Add a colour" }));
    return { ...opened, key: form.getByRole("textbox", { name: "Key" }) };
  };
  const first = await openForm();
  await first.user.type(first.key, "accent");
  first.unmount();

  const second = await openForm();
  expect(await findOfferOfText()).toBeVisible();
  await second.user.type(second.key, "b");
  expect(offerOfText()).not.toBeInTheDocument();
  await second.user.clear(second.key);
  second.unmount();

  const third = await openForm();
  await third.user.click(await findOfferOfText());
  expect(third.key).toHaveValue("accent");
});

test("text that is being typed in a different tab is offered once that tab is closed, not before", async () => {
  const endFirst = withLocks();
  server.use(answer("get", COLORS, { colors: primary() }));
  const openTab = async () => {
    const { container, user } = renderInProject(page);
    const tab = within(container);
    const form = within(await tab.findByRole("form", { name: "Add a colour" }));
    return { tab, user, key: form.getByRole("textbox", { name: "Key" }) };
  };
  const first = await openTab();
  await first.user.type(first.key, "acc");
  const { tab } = await openTab();
  await first.user.type(first.key, "ent");
  expect(tab.queryByText(/did not save it/)).not.toBeInTheDocument();

  endFirst();

  expect(await tab.findByText(/did not save it/)).toBeVisible();
});

test("kept text that renames a released colour shows the new key, and what the rename breaks", async () => {
  const openForm = async () => {
    server.use(answer("get", COLORS, { colors: primary() }));
    const opened = renderInProject(page);
    await opened.user.click(await screen.findByRole("button", { name: "Edit primary" }));
    return { ...opened, form: within(screen.getByRole("form", { name: "Edit primary" })) };
  };
  const first = await openForm();
  await first.user.click(first.form.getByRole("button", { name: "Rename…" }));
  await first.user.clear(first.form.getByRole("textbox", { name: "Key" }));
  await first.user.type(first.form.getByRole("textbox", { name: "Key" }), "brand");
  first.unmount();

  const { user, form } = await openForm();
  await user.click(form.getByRole("button", { name: "Continue what you wrote" }));

  expect(form.getByRole("textbox", { name: "Key" })).toHaveValue("brand");
  expect(form.getByText(/apps lose/)).toHaveTextContent("With the next publish apps lose primary");
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

test("a deletion shows what it takes away, with a history and without", async () => {
  const colors = [aColor("primary", "#0b5d5e"), aColor("draft", "#505050", { state: "new" })];
  const { user } = await openColors(colors, { hasHistory: true });
  const told = async (key: string) => {
    await user.click(screen.getByRole("button", { name: `Delete ${key}` }));
    const dialog = await screen.findByRole("dialog");
    const text = dialog.textContent;
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    return text;
  };

  expect(await told("primary")).toContain("Apps keep it until you publish. History brings it back.");
  expect(await told("draft")).toContain("This action cannot be undone. Apps never had it.");
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

// spec: color-7
test("deleting a colour asks first", async () => {
  const { user } = await openColors();
  server.use(answer("delete", `${COLORS}/primary`, { message: "Colour deleted." }));

  await user.click(screen.getByRole("button", { name: "Delete primary" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/Apps keep it until you publish\./)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Delete colour" }));

  expect(await screen.findByText(/No colours yet\./)).toBeVisible();
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

// spec: color-14
test("the panel shows the contrast of any two colours, and what it is good for", async () => {
  const { user } = await openColors([
    aColor("primary", "#0b5d5e"),
    aColor("paper", "#f7f6f3"),
    aColor("grey", "#8a8a8a"),
  ]);
  const panel = within(screen.getByRole("region", { name: "Contrast" }));
  const verdicts = () =>
    within(panel.getByRole("list", { name: "What it is good for" }))
      .getAllByRole("listitem")
      .map((item) => item.textContent);

  expect(panel.getByRole("status")).toHaveTextContent("Contrast of primary on paper: 7.08:1");
  expect(verdicts()).toEqual([
    "AA normal textfrom 4.5:1Pass",
    "AA large textfrom 3:1Pass",
    "AAA normal textfrom 7:1Pass",
    "AAA large textfrom 4.5:1Pass",
  ]);
  await user.click(panel.getByRole("combobox", { name: "Text" }));
  await user.keyboard("{Control>}a{/Control}gr{ArrowDown}{Enter}");
  expect(panel.getByRole("status")).toHaveTextContent("Contrast of grey on paper: 3.19:1");
  expect(verdicts()).toEqual([
    "AA normal textfrom 4.5:1Fail",
    "AA large textfrom 3:1Pass",
    "AAA normal textfrom 7:1Fail",
    "AAA large textfrom 4.5:1Fail",
  ]);
  expect(panel.getByText("Where to next?").parentElement).toHaveStyle({ background: "#f7f6f3", color: "#8a8a8a" });
  await user.click(panel.getByRole("button", { name: "Swap text and ground" }));
  expect(panel.getByRole("status")).toHaveTextContent("Contrast of paper on grey: 3.19:1");
});

test("a single colour is compared with white, and a deleted colour is no longer a choice", async () => {
  const { user } = await openColors();
  const panel = within(screen.getByRole("region", { name: "Contrast" }));
  expect(panel.getByRole("status")).toHaveTextContent(/^Contrast of primary on White: /);

  server.use(answer("delete", `${COLORS}/primary`, { message: "Colour deleted." }));
  await user.click(screen.getByRole("button", { name: "Delete primary" }));
  await user.click(await screen.findByRole("button", { name: "Delete colour" }));

  await waitFor(() => expect(screen.queryByRole("region", { name: "Contrast" })).not.toBeInTheDocument());
});

// spec: color-13
test("a colour that a colleague changed is read again", async () => {
  const stream = eventStream();
  server.use(http.get(`*/api/projects/${PROJECT_ID}/events`, () => stream.response));
  await openDashboard();
  server.use(answer("get", COLORS, { colors: [aColor("primary", "#c8371c", { revision: 2, state: "changed" })] }));

  stream.say(
    "change",
    { by: { _id: "usr_2", name: "Jonas" }, at: "2026-11-19T10:00:00Z", colors: { primary: 2 } },
    "2",
  );

  expect(await screen.findByText("#c8371c")).toBeVisible();
});

// spec: color-9
test.each([
  ["post", "Failed to add color", ""],
  ["put", "Failed to update color", "/primary"],
  ["delete", "Failed to delete color", "/primary"],
] as const)("when %s of a colour fails without a message, %s", async (method, message, path) => {
  const { user } = await openColors();
  server.use(answer(method, `${COLORS}${path}`, "", { status: 500 }));

  if (method === "delete") {
    await user.click(screen.getByRole("button", { name: "Delete primary" }));
    await user.click(await screen.findByRole("button", { name: "Delete colour" }));
  } else {
    if (method === "put") await user.click(screen.getByRole("button", { name: "Edit primary" }));
    const form = within(screen.getByRole("form", { name: method === "put" ? "Edit primary" : "Add a colour" }));
    await user.type(form.getByRole("textbox", { name: method === "put" ? "Nickname" : "Key" }), "x{Enter}");
  }

  expect(await screen.findByText(message)).toBeInTheDocument();
});

// spec: color-8
test("colours that can't be read can be loaded again", async () => {
  server.use(offline("get", COLORS));
  const { user } = openInProject(page);
  expect(await screen.findByText("Failed to load colors")).toBeVisible();

  server.use(answer("get", COLORS, { colors: [aColor("primary", "#0b5d5e")] }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("button", { name: "Edit primary" })).toBeInTheDocument();
});

// spec: color-12
test("every change of the draft's colours is announced to the window", async () => {
  const events = heard("translationsUpdated");
  const { user } = await openDashboard();
  server.use(answer("delete", `${COLORS}/primary`, { message: "Colour deleted." }));

  await user.click(screen.getByRole("button", { name: "Delete primary" }));
  await user.click(await screen.findByRole("button", { name: "Delete colour" }));

  await waitFor(() => expect(events).toEqual([{ projectId: PROJECT_ID, screen: "__UNPUBLISHED_COLORS__" }]));
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
