/** Opens the history of the colours. */
import { Loader } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { later } from "@/ui/later";
import { PanelButton } from "./panel-button";

const ColorHistory = later(
  async () => (await import("./color-history-panel")).ColorHistoryPanel,
  <Loader size={16} aria-label="Loading history" />,
);

export function ColorHistoryButton({ project }: { project: Project }) {
  ColorHistory.useFetched();
  return (
    <PanelButton
      project={project}
      hint="Versions of the colours"
      panel={(state) => <ColorHistory.Part project={project} {...state} />}
    />
  );
}
