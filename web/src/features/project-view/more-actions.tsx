/** In place of the sidebar on small screens: what can be done to the project's screens, and the way to connect an app. */
import { Modal } from "@mantine/core";
import { type ComponentType, useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { copyText } from "@/ui/copy-button";
import {
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
import type { MenuEntry } from "@/ui/menu-list";
import { DeleteScreenDialog } from "./delete-screen-dialog";
import classes from "./more-actions.module.css";
import { NewScreenForm } from "./new-screen-form";
import { screenUse } from "./project-sidebar";
import { GENERAL, useOpenTab } from "./tabs";
import { useScreenOrder } from "./use-screen-order";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

const look = {
  position: "bottom-end",
  shadow: "none",
  zIndex: 199,
  className: classes["menu"] ?? "",
} as const;

type Dialog = "add" | "delete" | "connect" | "preview";
type ProjectDialog = ComponentType<{ project: Project; opened: boolean; onClose: () => void }>;

export function MoreActions({
  project,
  ConnectDialog,
  PreviewDialog,
}: {
  project: Project;
  ConnectDialog: ProjectDialog;
  PreviewDialog: ProjectDialog;
}) {
  const tab = useOpenTab();
  const [asked, setAsked] = useState<Dialog | null>(null);
  // What is asked about stays the same screen while the page behind it changes.
  const [screen, setScreen] = useState(tab);
  const { order, toggle } = useScreenOrder();
  const ask = (dialog: Dialog) => {
    setScreen(tab);
    setAsked(dialog);
  };
  const close = () => setAsked(null);
  const isScreen = tab !== GENERAL && project.tabs.includes(tab);
  const SortIcon = order === "name" ? IconSortDescending2 : IconSortAscendingLetters;
  const entries: MenuEntry[] = [];
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
  entries.push({ label: "Connect your app", icon: <IconPlugConnected {...icon} />, onClick: () => ask("connect") });
  if (may(project, "publish"))
    entries.push({ label: "Preview draft", icon: <IconDeviceMobile {...icon} />, onClick: () => ask("preview") });
  return (
    <>
      <MenuButton
        size={40}
        variant="default"
        className={classes["more"] ?? ""}
        aria-label="More actions"
        entries={entries}
        look={look}
      >
        <IconDots size={18} aria-hidden="true" />
      </MenuButton>
      <Modal opened={asked === "add"} onClose={close} title="Add a screen" size="sm">
        <p className={`${classes["use"]} num`}>Screens: {screenUse(project)}</p>
        <NewScreenForm project={project} onAdded={close} />
      </Modal>
      <DeleteScreenDialog project={project} screen={screen} opened={asked === "delete"} onClose={close} />
      <ConnectDialog project={project} opened={asked === "connect"} onClose={close} />
      <PreviewDialog project={project} opened={asked === "preview"} onClose={close} />
    </>
  );
}
