/** In place of the sidebar on small screens: what can be done to the project's screens, and the way to connect an app. */
import { ActionIcon, Menu, Modal } from "@mantine/core";
import {
  IconCopy,
  IconDots,
  IconPlugConnected,
  IconPlus,
  IconSortAscendingLetters,
  IconSortDescending2,
  IconTrash,
} from "@tabler/icons-react";
import { type ComponentType, useRef, useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { copyText } from "@/ui/copy-button";
import { DeleteScreenDialog } from "./delete-screen-dialog";
import classes from "./more-actions.module.css";
import { NewScreenForm } from "./new-screen-form";
import { screenUse } from "./project-sidebar";
import { GENERAL, useOpenTab } from "./tabs";
import { useScreenOrder } from "./use-screen-order";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

type Dialog = "add" | "delete" | "connect";

export function MoreActions({
  project,
  ConnectDialog,
}: {
  project: Project;
  ConnectDialog: ComponentType<{ project: Project; opened: boolean; onClose: () => void }>;
}) {
  const tab = useOpenTab();
  const button = useRef<HTMLButtonElement>(null);
  const [asked, setAsked] = useState<Dialog | null>(null);
  // What is asked about stays the same screen while the page behind it changes.
  const [screen, setScreen] = useState(tab);
  const { order, toggle } = useScreenOrder();
  const ask = (dialog: Dialog) => {
    // A dialog gives the focus back to what had it, and the item is gone by then.
    button.current?.focus({ preventScroll: true });
    setScreen(tab);
    setAsked(dialog);
  };
  const close = () => setAsked(null);
  const isScreen = tab !== GENERAL && project.tabs.includes(tab);
  const SortIcon = order === "name" ? IconSortDescending2 : IconSortAscendingLetters;
  return (
    <>
      <Menu position="bottom-end" shadow="none" zIndex={199} withInitialFocusPlaceholder={false} menuItemTabIndex={0}>
        <Menu.Target>
          <ActionIcon ref={button} size={40} variant="default" className={classes["more"]} aria-label="More actions">
            <IconDots size={18} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className={classes["menu"]}>
          {isScreen && (
            <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copyText(tab, "ID copied!")}>
              Copy ID of {tab}
            </Menu.Item>
          )}
          {isScreen && may(project, "edit") && (
            <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => ask("delete")}>
              Delete {tab}
            </Menu.Item>
          )}
          {may(project, "edit") && (
            <Menu.Item leftSection={<IconPlus {...icon} />} onClick={() => ask("add")}>
              Add a screen
            </Menu.Item>
          )}
          {project.tabs.length > 2 && (
            <Menu.Item leftSection={<SortIcon {...icon} />} closeMenuOnClick={false} onClick={toggle}>
              {order === "name" ? "Sort screens by creation" : "Sort screens A-Z"}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPlugConnected {...icon} />} onClick={() => ask("connect")}>
            Connect your app
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={asked === "add"} onClose={close} title="Add a screen" size="sm">
        <p className={`${classes["use"]} num`}>Screens: {screenUse(project)}</p>
        <NewScreenForm project={project} onAdded={close} />
      </Modal>
      <DeleteScreenDialog project={project} screen={screen} opened={asked === "delete"} onClose={close} />
      <ConnectDialog project={project} opened={asked === "connect"} onClose={close} />
    </>
  );
}
