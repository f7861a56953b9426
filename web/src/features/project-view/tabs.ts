/** The fixed tabs of a project and the names of all. */
import { useLocation } from "react-router";
import type { ScreenOrder } from "./use-screen-order";

export const GENERAL = "general";
const titles: Record<string, string> = {
  [GENERAL]: "Content - General",
  stores: "Data Stores",
  colors: "Colours",
  settings: "Settings",
};

export const fixedTabs = [
  { path: GENERAL, title: "Content - General" },
  { path: "stores", title: "Data Stores" },
  { path: "colors", title: "Colours" },
  { path: "settings", title: "Settings" },
] as const;

/** 'Content - General', 'Data Stores', 'Colours', 'Settings', or the screen's own name. */
export const tabTitle = (tab: string) => titles[tab] ?? tab;

/** Whether a tab is one of texts. */
export const isScreen = (tab: string) => tab === GENERAL || !fixedTabs.some(({ path }) => path === tab);

/** The tab in the address: `stores`, `colors`, `settings`, `general` or a screen. */
export const useOpenTab = () => decodeURIComponent(useLocation().pathname.split("/")[3] ?? GENERAL);

/** The user's screens, in the order they were made or by name. */
export function sortedScreens(tabs: readonly string[], order: ScreenOrder): string[] {
  const screens = tabs.filter((tab) => tab !== GENERAL);
  return order === "name" ? screens.sort((a, b) => a.localeCompare(b, "en")) : screens;
}
