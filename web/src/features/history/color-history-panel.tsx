/** The history panel of the colours. */
import type { Project } from "@/lib/api-types";
import { useColorHistory } from "./color-history";
import { HistoryPanel } from "./history-panel";
import type { PanelState } from "./panel-button";

export function ColorHistoryPanel({ project, ...panel }: { project: Project } & PanelState) {
  // Colours are sent by a button: there are no unsaved colours.
  return <HistoryPanel project={project} source={useColorHistory(project)} unsaved={0} {...panel} />;
}
