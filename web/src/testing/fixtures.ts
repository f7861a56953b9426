/** Records as the API answers them; give what matters to the test. */
import type { ActivityEntry, Answer, Language, Project, ProjectSummary, User } from "@/lib/api-types";
import type { Diff } from "@/lib/diff";

type KeyRecord = Answer<"/api/translations/{projectId}/{tabName}", "get">["keys"][number];
type Job = Answer<"/api/projects/{projectId}/jobs", "get">["jobs"][number];
type Store = Answer<"/api/stores/{projectId}", "get">[number];
type Item = Answer<"/api/stores/items/{itemId}", "get">[number];
type Plan = Answer<"/api/plans", "get">["plans"][number];

/** The id of the project that fixtures belong to. */
export const PROJECT_ID = "prj_k7m2xq4tz8ha3b5c";

export function aUser(values: Partial<User> = {}): User {
  return {
    _id: "usr_1",
    name: "Demo Person",
    email: "demo@example.com",
    credits: 62,
    billing: "credits",
    freeMonthUsed: false,
    plan: "free",
    planExpiry: null,
    isVerified: true,
    ...values,
  };
}

export function aProjectSummary(values: Partial<ProjectSummary> = {}): ProjectSummary {
  return {
    _id: PROJECT_ID,
    projectId: PROJECT_ID,
    name: "Aurora Travel",
    isPublished: true,
    updatedAt: "2026-11-19T10:00:00Z",
    role: "owner",
    activeTier: "growth",
    ...values,
  };
}

export function aProject(values: Partial<Project> = {}): Project {
  return {
    _id: PROJECT_ID,
    projectId: PROJECT_ID,
    name: "Aurora Travel",
    description: "",
    ownerId: "usr_1",
    languages: ["en", "de"],
    defaultLanguage: "en",
    tabs: ["general", "home"],
    members: [
      {
        user: { _id: "usr_1", name: "Demo Person", email: "demo@example.com" },
        role: "owner",
        status: "active",
        expiresAt: null,
        apiKeyLastUsedAt: null,
        inviteLink: null,
      },
    ],
    seatsTaken: 1,
    storeCount: 2,
    transfer: null,
    activeTier: "growth",
    plan: "paid",
    expiresAt: new Date(Date.now() + 360 * 86_400_000).toISOString(),
    freeMonthUsed: false,
    revision: 1,
    role: "owner",
    permissions: ["read", "edit", "publish", "manage", "assign_credits", "audit", "own"],
    tierName: "Growth Tier",
    limits: {
      screens: 20,
      stores: 30,
      seats: 3,
      languages: 3,
      apiCalls: 750_000,
      bandwidthBytes: 75 * 2 ** 30,
      storageBytes: 40 * 2 ** 30,
    },
    hasHistory: false,
    hasScheduling: false,
    scheduledFor: null,
    scheduleObstacle: null,
    scheduleFailed: null,
    release: 1,
    unpublished: { total: 0, screens: {}, colors: 0, stores: 0 },
    isPublished: true,
    updatedAt: "2026-11-19T10:00:00Z",
    publishableKey: "lvp_example",
    projectSecret: null,
    ...values,
  };
}

export function anActivityEntry(values: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    _id: "act_1",
    action: "Created project Aurora Travel",
    projectId: PROJECT_ID,
    timestamp: "2026-11-20T10:00:00Z",
    actor: "Demo Person",
    target: "Aurora Travel",
    ...values,
  };
}

export const languages: Language[] = [
  { code: "en", name: "English", nativeName: "English", direction: "ltr", flag: "🇬🇧", plurals: ["one", "other"] },
  { code: "de", name: "German", nativeName: "Deutsch", direction: "ltr", flag: "🇩🇪", plurals: ["one", "other"] },
];

export const arabic: Language = {
  code: "ar",
  name: "Arabic",
  nativeName: "العربية",
  direction: "rtl",
  flag: "🇸🇦",
  plurals: ["other"],
};

export function aKey(key: string, values: Record<string, string>, more: Partial<KeyRecord> = {}): KeyRecord {
  const at = "2026-11-19T10:00:00Z";
  const meta: KeyRecord["meta"] =
    more.meta ??
    Object.fromEntries(
      Object.keys(values).map((language) => [language, { state: "published", by: "person", isConfirmed: false, at }]),
    );
  const states = Object.entries(meta).flatMap(([language, { state }]) =>
    state !== "new" || values[language] ? [state] : [],
  );
  const hasText = Object.values(values).some((text) => text !== "");
  return {
    _id: `key_${key}`,
    key,
    values,
    tabName: "home",
    state: states.find((state) => state === "new" || state === "changed") ?? (hasText ? "published" : "empty"),
    renamedFrom: null,
    revision: 1,
    updatedAt: at,
    ...more,
    meta,
  };
}

/** What the server answers for a screen with these keys. */
export function aScreen(keys: KeyRecord[]): { keys: KeyRecord[]; progress: Record<string, number> } {
  const progress: Record<string, number> = {};
  for (const { values } of keys) {
    for (const [language, text] of Object.entries(values)) {
      if (text !== "") progress[language] = (progress[language] ?? 0) + 1;
    }
  }
  return { keys, progress };
}

/** A job that fills German on the screen home, half done. */
export function aJob(values: Partial<Job> = {}): Job {
  return {
    _id: "job_1",
    kind: "translate",
    projectId: PROJECT_ID,
    status: "running",
    language: "de",
    referenceLanguage: "en",
    tabName: "home",
    overwrite: false,
    provider: "openai",
    total: 40,
    done: 20,
    failedCount: 0,
    failed: [],
    reason: null,
    startedBy: aUser()._id,
    createdAt: new Date().toISOString(),
    finishedAt: null,
    ...values,
  };
}

export const NO_LOSSES: Diff["losses"] = {
  screens: [],
  texts: 0,
  colors: 0,
  stores: [],
  fields: [],
  items: 0,
  languages: [],
};

export function aDiff(values: Partial<Diff> = {}): Diff {
  return {
    token: "token-1",
    total: 0,
    release: 1,
    isFirst: false,
    screens: [],
    colors: [],
    colorsTotal: 0,
    stores: [],
    languages: [],
    images: [],
    imagesTotal: 0,
    losses: NO_LOSSES,
    warnings: [],
    people: [],
    ...values,
  };
}

/** A store of places to travel to: a translated title, and a field of each other type. */
export function aStore(values: Partial<Store> = {}): Store {
  return {
    _id: "sto_1",
    name: "Destinations",
    apiIdentifier: "destinations",
    fields: [
      { _id: "fld_title", name: "title", type: "String", required: true, isTranslatable: true },
      { _id: "fld_price", name: "price", type: "Number", required: false, isTranslatable: false },
      { _id: "fld_open", name: "open", type: "Boolean", required: false, isTranslatable: false },
      { _id: "fld_from", name: "from", type: "Date", required: false, isTranslatable: false },
      { _id: "fld_story", name: "story", type: "RichText", required: false, isTranslatable: true },
      { _id: "fld_photo", name: "photo", type: "Media", required: false, isTranslatable: false },
    ],
    itemCount: 1,
    revision: 1,
    updatedAt: "2026-11-19T10:00:00Z",
    state: "published",
    ...values,
  };
}

export function anItem(data: Item["data"] = { title: { en: "Lofoten" } }, values: Partial<Item> = {}): Item {
  return {
    _id: "itm_1",
    data,
    revision: 1,
    updatedAt: "2026-11-19T10:00:00Z",
    updatedBy: "Ada Lovelace",
    state: "published",
    aiWritten: [],
    publishedVersions: [],
    ...values,
  };
}

/** A plan of the price list, with the limits of the project of these tests unless others are given. */
export function aPlan(id: string, name: string, monthlyCreditCost: number, limits: Partial<Plan["limits"]> = {}): Plan {
  return {
    id,
    name,
    monthlyCreditCost,
    priceDisplay: `${monthlyCreditCost} credits / month`,
    tag: "",
    icon: "gift",
    features: [{ text: "20 screens", description: "Named groups of keys." }],
    limits: { ...aProject().limits, ...limits },
    support: "standard",
  };
}
