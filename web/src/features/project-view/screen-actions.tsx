/** What can be done to one screen: copy its ID, delete it. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { CopyButton } from "@/ui/copy-button";
import { IconTrash } from "@/ui/icons";
import { deleteScreen } from "./delete-screen";

export function ScreenActions({ project, screen }: { project: Project; screen: string }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <CopyButton value={screen} label={`Copy ID of ${screen}`} copied="ID copied!" />
      {may(project, "edit") && (
        <Tooltip label={`Delete ${screen}`}>
          <ActionIcon size={26} aria-label={`Delete ${screen}`} onClick={() => setAsking(true)}>
            <IconTrash size={15} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      )}
      <deleteScreen.Part project={project} screen={screen} opened={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
