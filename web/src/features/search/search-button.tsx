/** Opens the search across all screens: in the header of every page of a project, and with / or Ctrl K (⌘ K). */
import { Modal, UnstyledButton } from "@mantine/core";
import { type Ref, useCallback, useImperativeHandle, useState } from "react";
import type { Project } from "@/lib/api-types";
import { isAlone, isMac, useShortcut } from "@/lib/keyboard";
import { dialogFrame } from "@/ui/dialog-frame";
import { IconSearch } from "@/ui/icons";
import { later } from "@/ui/later";
import { look } from "@/ui/look";
import { Text } from "@/ui/parts";
import { LoadingRows } from "@/ui/states";
import classes from "./search-button.module.css";

const panel = later(
  async () => (await import("./search-panel")).SearchPanel,
  <LoadingRows rows={3} label="Loading the search" />,
);

const LABEL = "Search all screens";

/** Ctrl/⌘ K is taken while a text is being written, too; / belongs to the text then. */
const isAsked = (event: KeyboardEvent): boolean =>
  isAlone(event, "/") ||
  (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey);

export interface SearchButtonProps {
  project: Project;
  handle?: Ref<{ open: () => void }>;
}

export function SearchButton({ project, handle }: SearchButtonProps) {
  const [opened, setOpened] = useState(false);
  const open = useCallback(() => setOpened(true), []);
  useShortcut(isAsked, open);
  useImperativeHandle(handle, () => ({ open }), [open]);
  panel.useFetched();
  return (
    <>
      <UnstyledButton
        className={look(
          {
            layout: "inline",
            align: "center",
            gap: 8,
            rigid: true,
            h: 34,
            fill: "surface",
            border: "strong",
            radius: "s",
            size: "s",
            tone: "ink-3",
            hover: true,
            w: 210,
          },
          classes["button"],
        )}
        aria-label={LABEL}
        aria-keyshortcuts={isMac ? "/ Meta+K" : "/ Control+K"}
        aria-haspopup="dialog"
        title={`${LABEL} (/)`}
        onClick={open}
      >
        <IconSearch className={look({ rigid: true })} size={16} stroke={1.7} aria-hidden="true" />
        <Text as="span" grow textAlign="start" truncate>
          {LABEL}
        </Text>
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
