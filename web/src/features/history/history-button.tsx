/** Opens the history of a screen; the plan that lacks it gets the reason instead. */
import { Button, Loader, Tooltip } from "@mantine/core";
import { IconHistory, IconLock } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { Project } from "@/lib/api-types";
import { later } from "@/ui/later";
import classes from "./history-button.module.css";

const ScreenHistory = later(
  async () => (await import("./screen-history-panel")).ScreenHistoryPanel,
  <Loader size={16} aria-label="Loading history" />,
);

export const NEEDS_PRO = "Version history is part of the Pro Tier.";

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
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const [closings, setClosings] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  ScreenHistory.useFetched();
  // After a roll back the panel goes with the dialog in it, and with the button to which that gives the focus back.
  useEffect(() => {
    if (closings > 0 && document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [closings]);
  const Icon = project.hasHistory ? IconHistory : IconLock;
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  return (
    <>
      <Tooltip label={project.hasHistory ? "Versions of this screen" : NEEDS_PRO}>
        <Button
          ref={button}
          className={classes["button"]}
          leftSection={<Icon size={15} stroke={1.7} aria-hidden="true" />}
          {...(project.hasHistory ? {} : { "aria-description": NEEDS_PRO })}
          onClick={open}
        >
          History
        </Button>
      </Tooltip>
      {wasOpened && (
        <ScreenHistory.Part
          project={project}
          screen={screen}
          unsaved={unsaved}
          opened={isOpen}
          onClose={() => setOpen(false)}
          onClosed={() => setClosings((count) => count + 1)}
        />
      )}
    </>
  );
}
