/** Opens the dialog that shows what an app needs to read this project's content. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { IconPlugConnected } from "@/ui/icons";
import { soon } from "@/ui/soon";

const ConnectDialog = soon(async () => (await import("./connect-dialog")).ConnectDialog);

export function ConnectButton({ project }: { project: Project }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        leftSection={<IconPlugConnected size={15} stroke={1.7} aria-hidden="true" />}
        onClick={() => setOpened(true)}
      >
        Connect your app
      </Button>
      <ConnectDialog project={project} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
