/** The button that opens a history; the plan that lacks it gets the reason instead. */
import { Button, Tooltip } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Project } from "@/lib/api-types";
import { focusInPlace, isFocusLost } from "@/ui/focus";
import { IconHistory, IconLock } from "@/ui/icons";
import { look } from "@/ui/look";

export const NEEDS_PRO = "Version history is part of the Pro Tier.";

export interface PanelState {
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
  onClosed: () => void;
}

export function PanelButton({
  project,
  hint,
  panel,
}: {
  project: Project;
  hint: string;
  /** Drawn from the first click on. */
  panel: (state: PanelState) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const [closings, setClosings] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  // After a roll back the panel goes with the dialog in it, and with the button to which that gives the focus back.
  useEffect(() => {
    if (closings > 0 && isFocusLost()) focusInPlace(button.current);
  }, [closings]);
  const Icon = project.hasHistory ? IconHistory : IconLock;
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  return (
    <>
      <Tooltip label={project.hasHistory ? hint : NEEDS_PRO}>
        <Button
          ref={button}
          className={look({ iconOnly: true })}
          leftSection={<Icon size={15} stroke={1.7} aria-hidden="true" />}
          {...(project.hasHistory ? {} : { "aria-description": NEEDS_PRO })}
          onClick={open}
        >
          History
        </Button>
      </Tooltip>
      {wasOpened &&
        panel({
          opened: isOpen,
          onOpen: open,
          onClose: () => setOpen(false),
          onClosed: () => setClosings((count) => count + 1),
        })}
    </>
  );
}
