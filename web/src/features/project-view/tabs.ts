/** The fixed tabs of a project and the names of all. */
import { useLocation } from "react-router";
import { decodedPath } from "@/lib/address";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import type { ScreenOrder } from "./use-screen-order";

export const GENERAL = "general";
export const fixedTabs = [
  { path: GENERAL, title: "Content - General" },
  { path: "stores", title: "Data Stores" },
  { path: "colors", title: "Colours" },
  { path: "images", title: "Images" },
  { path: "import-texts", title: "Import files" },
  { path: "releases", title: "Releases" },
  { path: "settings", title: "Settings" },
] as const;

/** The fixed tabs of a person: who can't edit can't import. */
export const tabsOf = (project: Project) =>
  fixedTabs.filter(({ path }) => path !== "import-texts" || may(project, "edit"));

/** 'Content - General', 'Data Stores', 'Colours', 'Images', 'Import files', 'Releases', 'Settings', or the screen's own name. */
export const tabTitle = (tab: string) => fixedTabs.find(({ path }) => path === tab)?.title ?? tab;

/** Whether a tab is one of texts. */
export const isScreen = (tab: string) => tab === GENERAL || !fixedTabs.some(({ path }) => path === tab);

/** The tab in the address: `stores`, `colors`, `images`, `import-texts`, `releases`, `settings`, `general` or a screen. */
export function useOpenTab(): string {
  const tab = useLocation().pathname.split("/")[3] ?? GENERAL;
  return decodedPath(tab) ?? tab;
}

/** The user's screens, in the order they were made or by name. */
export function sortedScreens(tabs: readonly string[], order: ScreenOrder): string[] {
  const screens = tabs.filter((tab) => tab !== GENERAL);
  return order === "name" ? screens.sort((a, b) => a.localeCompare(b, "en")) : screens;
}
