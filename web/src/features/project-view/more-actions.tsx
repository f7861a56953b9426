/** The menu at the end of the project's header. On small screens it also has what the sidebar has on large screens. */
import { Modal } from "@mantine/core";
import { type ComponentType, useState } from "react";
import type { Project } from "@/lib/api-types";
import { useDiscard } from "@/lib/discarding";
import { may } from "@/lib/project";
import { copyText } from "@/ui/copy-button";
import {
  IconArrowBackUp,
  IconCopy,
  IconDeviceMobile,
  IconDots,
  IconPlugConnected,
  IconPlus,
  IconSortAscendingLetters,
  IconSortDescending2,
  IconTrash,
} from "@/ui/icons";
import { MenuButton } from "@/ui/menu-button";
import type { MenuLine } from "@/ui/menu-list";
import { Text } from "@/ui/parts";
import { deleteScreen } from "./delete-screen";
import classes from "./more-actions.module.css";
import { NewScreenForm } from "./new-screen-form";
import { screenUse } from "./project-sidebar";
import { GENERAL, tabTitle, useOpenTab } from "./tabs";
import { useScreenOrder } from "./use-screen-order";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

const look = {
  position: "bottom-end",
  shadow: "none",
  zIndex: 199,
  className: classes["menu"] ?? "",
} as const;

type Dialog = "add" | "delete";
export type ProjectDialog = ComponentType<{ project: Project; opened: boolean; onClose: () => void }>;

export function MoreActions({
  project,
  isLarge,
  now,
  hidden,
  onConnect,
  onPreview,
}: {
  project: Project;
  isLarge: boolean;
  /** What is going on. */
  now: readonly MenuLine[];
  /** What the header has no room for. */
  hidden: readonly MenuLine[];
  onConnect: () => void;
  /** Null for a person who may not. */
  onPreview: (() => void) | null;
}) {
  const tab = useOpenTab();
  const [asked, setAsked] = useState<Dialog | null>(null);
  // What is asked about stays the same screen while the page behind it changes.
  const [screen, setScreen] = useState(tab);
  const ask = (dialog: Dialog) => {
    setScreen(tab);
    setAsked(dialog);
  };
  const close = () => setAsked(null);
  const screens = useScreenEntries(project, tab, ask);
  const entries: MenuLine[] = [];
  if (now.length > 0) entries.push({ text: "Now" }, ...now, "divider");
  if (!isLarge) entries.push(...screens);
  entries.push(...useDiscardEntry(project, tab));
  entries.push(...hidden);
  if (onPreview !== null)
    entries.push({ label: "Preview draft", icon: <IconDeviceMobile {...icon} />, onClick: onPreview });
  entries.push({ label: "Connect your app", icon: <IconPlugConnected {...icon} />, onClick: onConnect });
  return (
    <>
      <MenuButton
        size={34}
        variant="default"
        className={classes["more"] ?? ""}
        aria-label="More actions"
        data-news={now.length > 0 || undefined}
        entries={entries}
        look={look}
      >
        <IconDots size={18} aria-hidden="true" />
      </MenuButton>
      <Modal opened={asked === "add"} onClose={close} title="Add a screen" size="sm">
        <Text size="s" tone="ink-3" num>
          Screens: {screenUse(project)}
        </Text>
        <NewScreenForm project={project} onAdded={close} />
      </Modal>
      <deleteScreen.Part project={project} screen={screen} opened={asked === "delete"} onClose={close} />
    </>
  );
}

/** Discards the unpublished changes of the open screen, or of the colours. */
function useDiscardEntry(project: Project, tab: string): MenuLine[] {
  const discard = useDiscard();
  const { unpublished } = project;
  const isColors = tab === "colors";
  const count = isColors ? unpublished.colors : project.tabs.includes(tab) ? (unpublished.screens[tab] ?? 0) : 0;
  if (discard === null || count === 0 || !may(project, "edit")) return [];
  const name = isColors ? "the colours" : tabTitle(tab);
  return [
    {
      label: `Discard changes of ${name}`,
      icon: <IconArrowBackUp {...icon} />,
      hint: count.toLocaleString("en"),
      onClick: () =>
        discard(
          isColors
            ? { changes: ["in:colors"], name }
            : { changes: [`in:screen/${tab}`], name, section: `screen/${tab}` },
        ),
    },
  ];
}

/** What the sidebar offers for the screens. */
function useScreenEntries(project: Project, tab: string, ask: (dialog: Dialog) => void): MenuLine[] {
  const { order, toggle } = useScreenOrder();
  const isScreen = tab !== GENERAL && project.tabs.includes(tab);
  const SortIcon = order === "name" ? IconSortDescending2 : IconSortAscendingLetters;
  const entries: MenuLine[] = [];
  if (isScreen)
    entries.push({
      label: `Copy ID of ${tab}`,
      icon: <IconCopy {...icon} />,
      onClick: () => void copyText(tab, "ID copied!"),
    });
  if (isScreen && may(project, "edit"))
    entries.push({ label: `Delete ${tab}`, icon: <IconTrash {...icon} />, color: "red", onClick: () => ask("delete") });
  if (may(project, "edit"))
    entries.push({ label: "Add a screen", icon: <IconPlus {...icon} />, onClick: () => ask("add") });
  if (project.tabs.length > 2)
    entries.push({
      label: order === "name" ? "Sort screens by creation" : "Sort screens A-Z",
      icon: <SortIcon {...icon} />,
      isToggle: true,
      onClick: toggle,
    });
  return entries;
}
