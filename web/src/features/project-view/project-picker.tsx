/** In place of the sidebar on small screens: the tabs as a dropdown, and what else can be done here. */
import { ActionIcon, Button, Modal, Popover } from "@mantine/core";
import {
  IconChevronDown,
  IconDots,
  IconPlus,
  IconSortAscendingLetters,
  IconSortDescending2,
} from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { NewScreenForm } from "./new-screen-form";
import classes from "./project-picker.module.css";
import { screenUse, waitingIn } from "./project-sidebar";
import { ScreenActions } from "./screen-actions";
import { fixedTabs, GENERAL, sortedScreens, tabTitle, useOpenTab } from "./tabs";
import { useScreenOrder } from "./use-screen-order";

export function ProjectPicker({ project, connect }: { project: Project; connect: ReactNode }) {
  const navigate = useNavigate();
  const tab = useOpenTab();
  const [isAdding, setAdding] = useState(false);
  const [isMore, setMore] = useState(false);
  // What is open is about the tab that was: it goes with it, as when that screen was deleted from here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the tab closes it.
  useEffect(() => setMore(false), [tab]);
  const { order, toggle } = useScreenOrder();
  const screens = sortedScreens(project.tabs, order);
  const SortIcon = order === "name" ? IconSortDescending2 : IconSortAscendingLetters;
  const marked = (name: string, title: string) =>
    waitingIn(project, name) === undefined ? title : `${title} (${waitingIn(project, name)})`;
  return (
    <>
      <label className={classes["picker"]}>
        <span className={classes["current"]}>
          <span className={classes["name"]}>{tab === GENERAL ? "General" : tabTitle(tab)}</span>
          {waitingIn(project, tab) !== undefined && <i className={classes["dot"]} />}
        </span>
        <IconChevronDown size={16} aria-hidden="true" />
        <select
          aria-label="Part of the project"
          value={tab}
          onChange={(event) => void navigate(`/projects/${project.projectId}/${event.currentTarget.value}`)}
        >
          {fixedTabs.map(({ path, title }) => (
            <option key={path} value={path}>
              {marked(path, title)}
            </option>
          ))}
          <optgroup label={`Screens ${screenUse(project)}`}>
            {screens.map((screen) => (
              <option key={screen} value={screen}>
                {marked(screen, screen)}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      {/* Kept while it is closed: the dialogs that it opens outlive it. */}
      <Popover opened={isMore} onChange={setMore} position="bottom-end" keepMounted zIndex={199}>
        <Popover.Target>
          <ActionIcon
            size={40}
            variant="default"
            className={classes["more"]}
            aria-label="More actions"
            onClick={() => setMore(!isMore)}
          >
            <IconDots size={18} aria-hidden="true" />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <div className={classes["actions"]}>
            {screens.includes(tab) && (
              <div className={classes["screen"]}>
                <span className="mono">{tab}</span>
                <ScreenActions project={project} screen={tab} />
              </div>
            )}
            {may(project, "edit") && (
              <Button
                leftSection={<IconPlus size={15} stroke={1.7} aria-hidden="true" />}
                onClick={() => {
                  setMore(false);
                  setAdding(true);
                }}
              >
                Add a screen
              </Button>
            )}
            {screens.length > 1 && (
              <Button leftSection={<SortIcon size={15} stroke={1.7} aria-hidden="true" />} onClick={toggle}>
                {order === "name" ? "Sort screens by creation" : "Sort screens A-Z"}
              </Button>
            )}
            {connect}
          </div>
        </Popover.Dropdown>
      </Popover>
      <Modal opened={isAdding} onClose={() => setAdding(false)} title="Add a screen" size="sm">
        <NewScreenForm project={project} onAdded={() => setAdding(false)} />
      </Modal>
    </>
  );
}
