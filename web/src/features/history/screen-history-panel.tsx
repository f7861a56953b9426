/** The history panel of one screen. */
import type { Project } from "@/lib/api-types";
import { HistoryPanel } from "./history-panel";
import type { PanelState } from "./panel-button";
import { useScreenHistory } from "./screen-history";

export function ScreenHistoryPanel({
  project,
  screen,
  ...panel
}: {
  project: Project;
  screen: string;
  unsaved: number;
} & PanelState) {
  return <HistoryPanel project={project} source={useScreenHistory(project, screen)} {...panel} />;
}
