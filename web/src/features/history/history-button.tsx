/** Opens the history of a screen. */
import { Loader } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { later } from "@/ui/later";
import { PanelButton } from "./panel-button";

const ScreenHistory = later(
  async () => (await import("./screen-history-panel")).ScreenHistoryPanel,
  <Loader size={16} aria-label="Loading history" />,
);

export function HistoryButton({
  project,
  screen,
  unsaved,
}: {
  project: Project;
  screen: string;
  /** How many texts of the screen have not reached the server. */
  unsaved: number;
}) {
  ScreenHistory.useFetched();
  return (
    <PanelButton
      project={project}
      hint="Versions of this screen"
      panel={(state) => <ScreenHistory.Part project={project} screen={screen} unsaved={unsaved} {...state} />}
    />
  );
}
