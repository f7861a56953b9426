/** The dialog of an item of the store Destinations. */
import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { StorePage } from "@/features/stores/store-page";
import type { Answer, Project } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { anItem, arabic, aStore, languages, PROJECT_ID } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";

export type Item = Answer<"/api/stores/items/{itemId}", "get">[number];

type Opened = Awaited<ReturnType<typeof openItem>>;

export const ITEMS = "/api/stores/items/sto_1";

export const ITEM = "/api/stores/items/itm_1";

export const project: Partial<Project> = { languages: ["en", "de", "ar"] };

export const lofoten = anItem({ title: { en: "Lofoten" }, price: 129, open: true, story: { en: "<p>North.</p>" } });

/** Without the formatting editor, which takes long to draw here, where a test is not about it. */
export const plain = aStore({ fields: aStore().fields.filter(({ type }) => type !== "RichText") });

export async function openItem(
  items: Item[] = [lofoten],
  values: Partial<Project> = project,
  button?: string,
  store: ReturnType<typeof aStore> = plain,
) {
  server.use(
    answer("get", "/api/languages", { languages: [...languages, arabic] }),
    answer("get", `/api/stores/${PROJECT_ID}/destinations`, store),
    answer("get", ITEMS, items),
  );
  const opened = renderInProject(<StorePage />, values, {
    at: "stores/destinations",
    pattern: "stores/:apiIdentifier",
  });
  const isNew = button === "Add New Item";
  await opened.user.click(await screen.findByRole("button", { name: button ?? "Edit: “Lofoten”" }));
  const dialog = within(await screen.findByRole("dialog", { name: isNew ? "Add New Item" : "Edit Item" }));
  await dialog.findByRole("textbox", { name: "title" });
  return { ...opened, dialog };
}

export const openRich = async () => {
  const opened = await openItem([lofoten], project, undefined, aStore());
  // It is loaded when it is first shown.
  await opened.dialog.findByRole("textbox", { name: "story" }, { timeout: 15_000 });
  return opened;
};

export const openNew = () => openItem([], project, "Add New Item");

/** Notes the payloads of saves, each answered with the item a revision further. */
export function saves(method: "post" | "put", path: string, item: Item = lofoten) {
  const sent: { data: Record<string, unknown>; revision?: number }[] = [];
  server.use(
    http[method](`*${path}`, async ({ request }) => {
      const body = (await request.json()) as (typeof sent)[number];
      sent.push(body);
      return HttpResponse.json({ ...item, revision: item.revision + 1 }, { status: method === "post" ? 201 : 200 });
    }),
  );
  return sent;
}

export const type = async ({ user, dialog }: Opened, name: string, text: string) => {
  await user.clear(dialog.getByRole("textbox", { name }));
  await user.paste(text);
};

/** A server on which a colleague has written `current` since the dialog opened. */
export function changedMeanwhile(current: Item) {
  const sent: { data: unknown; revision: number }[] = [];
  server.use(
    http.put(`*${ITEM}`, async ({ request }) => {
      const body = (await request.json()) as (typeof sent)[number];
      sent.push(body);
      return body.revision === current.revision
        ? HttpResponse.json({ ...current, revision: current.revision + 1 })
        : HttpResponse.json({ message: "Stale.", code: "stale_revision", current }, { status: 409 });
    }),
  );
  return sent;
}
