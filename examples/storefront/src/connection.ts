// Which Livery project this page shows: from the address, from the server that serves the page, or as last time.

import { recall, remember } from "./storage";

export interface Connection {
  projectId: string;
  /** The publishable key: made for shipping in apps. */
  key: string;
  /** "" is the page's own origin. */
  baseUrl: string;
}

const NAME = "connection";

/** Known without asking anyone: the address bar first, then what was remembered. */
export function knownConnection(): Connection | undefined {
  const fromAddress = addressConnection();
  if (fromAddress) {
    remember(NAME, JSON.stringify(fromAddress));
    return fromAddress;
  }
  try {
    return asConnection(JSON.parse(recall(NAME) ?? "null"));
  } catch {
    return undefined;
  }
}

/** Asks the server this page came from. Undefined where it does not answer with a connection, or can't be reached. */
export async function servedConnection(): Promise<Connection | undefined> {
  if (addressConnection()) return undefined;
  try {
    const response = await fetch("./config.json", { cache: "no-cache", signal: AbortSignal.timeout(10_000) });
    if (!response.ok) return undefined;
    const connection = asConnection(await response.json());
    if (connection) remember(NAME, JSON.stringify(connection));
    return connection;
  } catch {
    return undefined;
  }
}

export function sameConnection(a: Connection | undefined, b: Connection | undefined): boolean {
  return a?.projectId === b?.projectId && a?.key === b?.key && a?.baseUrl === b?.baseUrl;
}

/** Whether a picture comes from the server of this project: the policy of the page lets in no others. */
export function isServedByLivery(address: string): boolean {
  try {
    const picture = new URL(address, location.href);
    const base = new URL(knownConnection()?.baseUrl || "/", location.href);
    return picture.origin === base.origin && picture.pathname.startsWith(`${base.pathname.replace(/\/$/, "")}/media/`);
  } catch {
    return false;
  }
}

function addressConnection(): Connection | undefined {
  const query = new URLSearchParams(location.search);
  return asConnection({
    projectId: query.get("project"),
    key: query.get("key"),
    baseUrl: query.get("base") ?? "",
  });
}

function asConnection(value: unknown): Connection | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { projectId, key, baseUrl } = value as Partial<Record<keyof Connection, unknown>>;
  if (typeof projectId !== "string" || projectId === "" || typeof key !== "string" || key === "") return undefined;
  return { projectId, key, baseUrl: typeof baseUrl === "string" ? baseUrl : "" };
}
