/** In place of the sidebar on small screens: the tabs as a dropdown, and what else can be done here. */
import { ActionIcon, Button, Modal, Popover } from "@mantine/core";
import { IconChevronDown, IconDots, IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { NewScreenForm } from "./new-screen-form";
import classes from "./project-picker.module.css";
import { screenUse, waitingIn } from "./project-sidebar";
import { ScreenActions } from "./screen-actions";
import { fixedTabs, GENERAL, sortedScreens, tabTitle, useOpenTab } from "./tabs";

export function ProjectPicker({ project, connect }: { project: Project; connect: ReactNode }) {
  const navigate = useNavigate();
  const tab = useOpenTab();
  const [isAdding, setAdding] = useState(false);
  const [isMore, setMore] = useState(false);
  const screens = sortedScreens(project.tabs, "created");
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
