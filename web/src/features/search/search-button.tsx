/** Opens the search across all screens: in the header of every page of a project, and with / or Ctrl K (⌘ K). */
import { ActionIcon, Modal, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useState } from "react";
import type { Project } from "@/lib/api-types";
import { dialogFrame } from "@/ui/dialog-frame";
import { IconSearch } from "@/ui/icons";
import { later } from "@/ui/later";
import { LoadingRows } from "@/ui/states";
import classes from "./search-button.module.css";

const panel = later(
  async () => (await import("./search-panel")).SearchPanel,
  <LoadingRows rows={3} label="Loading the search" />,
);

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Ctrl/⌘ K is taken while a text is being written, too; / belongs to the text then. */
function useShortcut(open: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey;
      const isAsked =
        event.key === "/"
          ? !isCommand && !event.altKey && !isTyping(event.target)
          : event.key.toLowerCase() === "k" && isCommand && !event.altKey && !event.shiftKey;
      if (!isAsked || document.querySelector('[aria-modal="true"]')) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [open]);
}

export function SearchButton({ project }: { project: Project }) {
  const [opened, setOpened] = useState(false);
  const isLarge = useMediaQuery("(min-width: 1201px)", true, { getInitialValueInEffect: false });
  useShortcut(() => setOpened(true));
  panel.useFetched();
  const shared = {
    "aria-label": "Search all screens",
    "aria-keyshortcuts": isMac ? "/ Meta+K" : "/ Control+K",
    "aria-haspopup": "dialog",
    onClick: () => setOpened(true),
  } as const;
  return (
    <>
      {isLarge ? (
        <UnstyledButton className={classes["field"]} {...shared}>
          <IconSearch size={15} stroke={1.7} aria-hidden="true" />
          <span>Search all screens</span>
          <kbd>/</kbd>
        </UnstyledButton>
      ) : (
        <ActionIcon size={40} variant="default" className={classes["icon"]} {...shared}>
          <IconSearch size={18} stroke={1.7} aria-hidden="true" />
        </ActionIcon>
      )}
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title="Search all screens"
        size={680}
        // It stays where it is while what was found makes it longer or shorter.
        centered={false}
        yOffset="8vh"
        classNames={dialogFrame}
      >
        <panel.Part project={project} onDone={() => setOpened(false)} />
      </Modal>
    </>
  );
}
