/** A project in which every field holds a text that tries to be code, and the calls that fill it so. */
import type { Desk } from "./desk.js";
import { inGroups, type Texts } from "./hostile.js";
import { png } from "./png.js";

const PASSWORD = "nine grey herons";
/** Keys that may be, and that mean something elsewhere. */
const ODD_KEYS = ["prototype", "__count__", "then", "onerror", "javascript.alert-1", "style.background-x"];
/** So many calls are under way together. */
const TOGETHER = 8;

export async function each<Item>(items: readonly Item[], work: (item: Item, position: number) => Promise<unknown>) {
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
}

export function imageForm(key: string, { hasFile = true, width = 8 } = {}): FormData {
  const form = new FormData();
  form.set("key", key);
  const file = () => new Blob([new Uint8Array(png(width, 8, [200, 55, 28]))], { type: "image/png" });
  if (hasFile) form.set("imageFile", file(), `${key}.png`);
  return form;
}

/** What is no text but a key, a colour, a number, a date, a choice or an address is refused, and the field named. */
export async function tryWhatIsRefused(desk: Desk, texts: Texts, storeId: string): Promise<void> {
  const { projectId } = desk;
  const color = `/colors/${projectId}`;
  const names: ((text: string) => Promise<void>)[] = [
    (text) => desk.refused("POST", `/translations/${projectId}/general`, { key: text, values: {} }, text, "key"),
    (text) => desk.refused("POST", color, { key: text, value: "#112233" }, text, "key"),
    (text) => desk.refused("POST", `/images/${projectId}`, imageForm(text, { hasFile: false }), text, "key"),
    (text) => desk.refused("POST", `/projects/${projectId}/screens`, { name: text }, text, "name"),
    (text) => {
      const store = { name: "Refused", apiIdentifier: text, fields: [] };
      return desk.refused("POST", `/stores/${projectId}`, store, text, "apiIdentifier");
    },
  ];
  await each(texts.css, (value) => desk.refused("PUT", `${color}/primary`, { value }, value, "value"));
  await each(texts.all, async (text, position) => {
    await desk.refused("POST", color, { key: "refused", value: text }, text, "value");
    if (/^[\w.-]*$/.test(text.trim())) return;
    // Two of the five each, so that it takes half as long: every class of texts comes to each of them.
    await names[position % names.length]?.(text);
    await names[(position + 2) % names.length]?.(text);
    const data = { place: { en: "Oslo" }, price: text, from: text, families: text, photo: text };
    const wrong = ["data.price", "data.from", "data.families", "data.photo"];
    await desk.refused("POST", `/stores/items/${storeId}`, { data }, text, ...wrong);
  });
  await each(texts.invisible, async (name) => {
    const fields = [{ name, type: "String" }];
    await desk.refused("POST", "/projects", { name }, name, "name");
    await desk.refused("PUT", "/user/me", { name }, name, "name");
    await desk.refused("POST", `/stores/${projectId}`, { name, apiIdentifier: "refused", fields: [] }, name, "name");
    await desk.refused("POST", `/stores/${projectId}`, { name: "x", apiIdentifier: "refused", fields }, name);
    await desk.refused("POST", `/colors/${projectId}`, { key: "refused", nickname: name }, name, "nickname");
  });
}

/** The texts of the app, all that it shows and more; each has another text in each language. */
export async function fillTexts(desk: Desk, texts: Texts): Promise<void> {
  const { quartets } = texts;
  let filled = 0;
  for (const screen of ["general", "home", "checkout"]) {
    const path = `/translations/${desk.projectId}/${screen}`;
    const { keys } = (await desk.done("GET", path)) as { keys: { key: string }[] };
    const valuesOf = (position: number) => quartets[(filled + position) % quartets.length];
    await each(keys, ({ key }, position) => desk.done("PUT", `${path}/${key}`, { key, values: valuesOf(position) }));
    filled += keys.length;
  }
  const others = filled < quartets.length ? quartets.slice(filled) : quartets;
  await each(others, (values, position) =>
    desk.done("POST", `/translations/${desk.projectId}/general`, { key: `hostile_${position}`, values }),
  );
}

export async function fillColorsAndImages(desk: Desk, texts: Texts): Promise<void> {
  await each(texts.namesOf(100), (nickname, position) =>
    desk.done("POST", `/colors/${desk.projectId}`, { key: `hostile_${position}`, value: "#112233", nickname }),
  );
  await each(ODD_KEYS, (key) => desk.done("POST", `/colors/${desk.projectId}`, { key, value: "#445566" }));
  for (const key of ODD_KEYS) await desk.done("POST", `/images/${desk.projectId}`, imageForm(key));
}

/** Gives the identifiers of the stores whose fields have such names. */
export async function fillStores(desk: Desk, texts: Texts, storeId: string): Promise<string[]> {
  await each(texts.quartets, (texts) =>
    desk.done("POST", `/stores/items/${storeId}`, {
      data: { place: texts, story: texts, price: 1, photo: "https://canary.invalid/a.png" },
    }),
  );
  const types = ["String", "RichText", "Number", "Boolean", "Date", "Media"];
  const names = texts.namesOf(100);
  const groups = inGroups(texts.namesOf(64), 50);
  for (const [number, group] of groups.entries()) {
    const fields = group.map((name, position) => ({ name, type: types[position % types.length] }));
    const store = { name: names[number], apiIdentifier: `hostile_${number}`, fields };
    const { _id } = await desk.done("POST", `/stores/${desk.projectId}`, store);
    const texts = fields.filter(({ type }) => type === "String" || type === "RichText");
    const pictures = fields.filter(({ type }) => type === "Media");
    const data = Object.fromEntries([
      ...texts.map(({ name }) => [name, name]),
      ...pictures.map(({ name }) => [name, `/media/${desk.projectId}/prototype`]),
    ]);
    await desk.done("POST", `/stores/items/${_id}`, { data });
  }
  const more = names.slice(groups.length, 40).map((name, position) => ({ name, apiIdentifier: `named_${position}` }));
  await each(more, (store) => desk.done("POST", `/stores/${desk.projectId}`, { ...store, fields: [] }));
  return groups.map((_, number) => `hostile_${number}`);
}

/** Colleagues with such names, who join the project. */
export async function fillMembers(desk: Desk, texts: Texts): Promise<Desk[]> {
  const { projectId } = desk;
  const colleagues: Desk[] = [];
  for (const [number, name] of texts.colleagues.entries()) {
    const theirs = await desk.haveEditor({ name, email: `colleague_${number}@example.com`, password: PASSWORD });
    await theirs.done("PUT", `/translations/${projectId}/general/hostile_0`, {
      key: "hostile_0",
      values: { en: `${name} ` },
    });
    colleagues.push(theirs);
  }
  return colleagues;
}

/** Replaces the published texts with different texts of this kind: a comparison then shows the old text beside the new text. */
export async function rewrite(desk: Desk, texts: Texts, storeId: string): Promise<void> {
  const { projectId } = desk;
  const others = texts.quartets.toReversed();
  const another = (position: number) => others[position % others.length] ?? {};
  const general = `/translations/${projectId}/general`;
  const { keys } = (await desk.done("GET", general)) as { keys: { key: string }[] };
  await each(keys, ({ key }, position) => desk.done("PUT", `${general}/${key}`, { key, values: another(position) }));
  const { colors } = (await desk.done("GET", `/colors/${projectId}`)) as { colors: { key: string }[] };
  const nicknames = texts.namesOf(100).toReversed();
  await each(colors, ({ key }, position) =>
    ODD_KEYS.includes(key)
      ? desk.done("DELETE", `/colors/${projectId}/${key}`)
      : desk.done("PUT", `/colors/${projectId}/${key}`, {
          value: "#332211",
          nickname: nicknames[position % nicknames.length],
        }),
  );
  const items = (await desk.done("GET", `/stores/items/${storeId}`)) as unknown as { _id: string }[];
  await each(items, ({ _id }, position) =>
    desk.done("PUT", `/stores/items/${_id}`, { data: { place: another(position), story: another(position + 1) } }),
  );
  const stores = (await desk.done("GET", `/stores/${projectId}`)) as unknown as Record<
    "_id" | "apiIdentifier",
    string
  >[];
  const named = stores.filter(({ apiIdentifier }) => apiIdentifier.startsWith("named_"));
  await each(named, ({ _id }, position) =>
    position % 2 === 0
      ? desk.done("DELETE", `/stores/${_id}`)
      : desk.done("PUT", `/stores/${_id}`, { name: nicknames[position] }),
  );
}
