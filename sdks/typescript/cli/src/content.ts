/** What apps read: the content of the release, or of the draft, in each language. */

import type { Api } from "./api.js";
import { Failure } from "./failure.js";
import type { ProjectView } from "./project.js";
import { readProject } from "./project.js";

type Map<Value> = Record<string, Value>;

/** One language. A draft has no version. */
export interface Content {
  readonly projectId: string;
  readonly version?: string;
  readonly release?: number;
  readonly language: string;
  readonly languages: readonly string[];
  readonly texts: Map<Map<string>>;
  readonly colors: Map<string>;
  readonly images: Map<object>;
  readonly stores: Map<string>;
}

export interface StoreField {
  readonly name: string;
  readonly type: "String" | "Number" | "Boolean" | "Date" | "RichText" | "Media";
}

/** The fields of each store, by API identifier. */
export type Stores = Map<readonly StoreField[]>;

/** The draft: the texts of each key by language, nothing filled in. */
export interface Draft {
  readonly project: ProjectView;
  readonly texts: Map<Map<Map<string>>>;
  readonly contents: readonly Content[];
}

const ATTEMPTS = 5;
const AT_ONCE = 6;

/** Reads the release in all its languages. All contents are of one version. Throws `Failure` if nothing is published. */
export async function readRelease(api: Api, projectId: string): Promise<Content[]> {
  const path = `/sdk/v1/${encodeURIComponent(projectId)}/content`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = await api.get<Content>(path);
    if (!first.release)
      throw new Failure('The project has no release yet. Publish it ("npx @livery/cli publish"), or use --draft.');
    const rest = first.languages.filter((one) => one !== first.language);
    const others = await Promise.all(rest.map((lang) => api.get<Content>(path, { lang })));
    const found = [first, ...others];
    const odd = found.find((one) => !/^[A-Za-z0-9-]+$/.test(one.language));
    if (odd) throw new Failure(`The server names a language "${odd.language}", which can't be the name of a file.`);
    if (found.every((one) => one.version === first.version))
      return found.sort((a, b) => first.languages.indexOf(a.language) - first.languages.indexOf(b.language));
  }
  throw new Failure("The project is published too often to read one release. Try again.");
}

/** Reads the fields of the stores in the draft. */
export async function readStores(api: Api, projectId: string): Promise<Stores> {
  const stores = await api.get<{ apiIdentifier: string; fields: StoreField[] }[]>(
    `/api/stores/${encodeURIComponent(projectId)}`,
  );
  return Object.fromEntries(
    stores.map((one) => [one.apiIdentifier, one.fields.map(({ name, type }) => ({ name, type }))]),
  );
}

/** The languages that the texts of a language come from: default language, parents, the language. A later language wins. */
function chainOf(language: string, defaultLanguage: string): string[] {
  const parts = language.split("-");
  return [...new Set([defaultLanguage, ...parts.map((_, index) => parts.slice(0, index + 1).join("-"))])];
}

function contentOf(draft: Omit<Draft, "contents">, shared: Shared, language: string): Content {
  const chain = chainOf(language, draft.project.defaultLanguage).reverse();
  const texts: Map<Map<string>> = {};
  for (const [screen, keys] of Object.entries(draft.texts)) {
    const found = Object.entries(keys).flatMap(([key, values]) => {
      const code = chain.find((one) => values[one]);
      return code === undefined ? [] : [[key, values[code] as string]];
    });
    if (found.length) texts[screen] = Object.fromEntries(found);
  }
  return { ...shared, language, languages: draft.project.languages, texts };
}

type Shared = Pick<Content, "projectId" | "colors" | "images" | "stores">;

async function readShared(api: Api, projectId: string): Promise<Shared> {
  const id = encodeURIComponent(projectId);
  const [{ colors }, images, stores] = await Promise.all([
    api.get<{ colors: { key: string; value: string }[] }>(`/api/colors/${id}`),
    api.get<{ key: string; url: string; width: number; height: number; thumbhash: string }[]>(`/api/images/${id}`),
    readStores(api, projectId),
  ]);
  return {
    projectId,
    colors: Object.fromEntries(colors.map((one) => [one.key, one.value])),
    images: Object.fromEntries(
      images.map(({ key, url, width, height, thumbhash }) => [key, { url, width, height, thumbhash }]),
    ),
    stores: Object.fromEntries(Object.keys(stores).map((name) => [name, ""])),
  };
}

/** Reads the draft through the token. */
export async function readDraft(api: Api, projectId: string): Promise<Draft> {
  const [project, shared] = await Promise.all([readProject(api, projectId), readShared(api, projectId)]);
  const texts: Map<Map<Map<string>>> = Object.fromEntries(project.tabs.map((screen) => [screen, {}]));
  const readScreen = async (screen: string) => {
    const path = `/api/translations/${encodeURIComponent(projectId)}/${encodeURIComponent(screen)}`;
    const { keys } = await api.get<{ keys: { key: string; values: Map<string> }[] }>(path);
    texts[screen] = Object.fromEntries(keys.map((one) => [one.key, one.values]));
  };
  for (let at = 0; at < project.tabs.length; at += AT_ONCE)
    await Promise.all(project.tabs.slice(at, at + AT_ONCE).map(readScreen));
  const draft = { project, texts };
  return { ...draft, contents: project.languages.map((language) => contentOf(draft, shared, language)) };
}
