/** The fixed tabs of a project and the names of all. */

export const GENERAL = "general";
const titles: Record<string, string> = { [GENERAL]: "Content - General", colors: "Colours" };

export const fixedTabs = [
  { path: GENERAL, title: "Content - General" },
  { path: "colors", title: "Colours" },
] as const;

/** 'Content - General', 'Colours', or the screen's own name. Without a screen's name the tab is that of the colours. */
export const tabTitle = (tab: string | undefined) => titles[tab ?? "colors"] ?? tab ?? "";

/** The user's screens, in the order they were made or by name. */
export function sortedScreens(tabs: readonly string[], order: "created" | "name"): string[] {
  const screens = tabs.filter((tab) => tab !== GENERAL);
  return order === "name" ? screens.sort((a, b) => a.localeCompare(b, "en")) : screens;
}
