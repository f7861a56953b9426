/** In place of the sidebar on small screens: the tabs as a dropdown, and what can be done to screens. */
import { ActionIcon, Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconChevronDown, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { NewScreenForm } from "./new-screen-form";
import classes from "./project-picker.module.css";
import { screenUse, waitingIn } from "./project-sidebar";
import { ScreenActions } from "./screen-actions";
import { fixedTabs, sortedScreens, tabTitle, useOpenTab } from "./tabs";

export function ProjectPicker({ project }: { project: Project }) {
  const isLarge = useMediaQuery("(min-width: 901px)", true, { getInitialValueInEffect: false });
  const navigate = useNavigate();
  const tab = useOpenTab();
  const [isAdding, setAdding] = useState(false);
  if (isLarge) return null;
  const screens = sortedScreens(project.tabs, "created");
  const marked = (name: string, title: string) =>
    waitingIn(project, name) === undefined ? title : `${title} (${waitingIn(project, name)})`;
  return (
    <div className={classes["bar"]}>
      <label className={classes["picker"]}>
        <span className={classes["current"]}>
          {tabTitle(tab)}
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
      {screens.includes(tab) && <ScreenActions project={project} screen={tab} />}
      {may(project, "edit") && (
        <ActionIcon size={40} variant="default" aria-label="Add a screen" onClick={() => setAdding(true)}>
          <IconPlus size={18} aria-hidden="true" />
        </ActionIcon>
      )}
      <Modal opened={isAdding} onClose={() => setAdding(false)} title="Add a screen" size="sm">
        <NewScreenForm project={project} onAdded={() => setAdding(false)} />
      </Modal>
    </div>
  );
}
