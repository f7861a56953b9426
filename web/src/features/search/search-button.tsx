/** Opens the search across all screens: in the header of every page of a project, and with / or Ctrl K (⌘ K). */
import { Modal, UnstyledButton } from "@mantine/core";
import { type Ref, useEffect, useImperativeHandle, useState } from "react";
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

const LABEL = "Search all screens";

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

export interface SearchButtonProps {
  project: Project;
  handle?: Ref<{ open: () => void }>;
}

export function SearchButton({ project, handle }: SearchButtonProps) {
  const [opened, setOpened] = useState(false);
  const open = () => setOpened(true);
  useShortcut(open);
  useImperativeHandle(handle, () => ({ open: () => setOpened(true) }), []);
  panel.useFetched();
  return (
    <>
      <UnstyledButton
        className={classes["button"] ?? ""}
        aria-label={LABEL}
        aria-keyshortcuts={isMac ? "/ Meta+K" : "/ Control+K"}
        aria-haspopup="dialog"
        title={`${LABEL} (/)`}
        onClick={open}
      >
        <IconSearch size={16} stroke={1.7} aria-hidden="true" />
        <span>{LABEL}</span>
        <kbd>/</kbd>
      </UnstyledButton>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={LABEL}
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
