/** The project's part of the sidebar on large screens. */
import { ActionIcon, Tooltip } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { CopyButton } from "@/ui/copy-button";
import { IconSortAscendingLetters, IconSortDescending2 } from "@/ui/icons";
import { SidebarHeading, SidebarLink, SidebarNav, SidebarSection } from "@/ui/sidebar";
import { NewScreenForm } from "./new-screen-form";
import classes from "./project-sidebar.module.css";
import { ScreenActions } from "./screen-actions";
import { fixedTabs, sortedScreens } from "./tabs";
import { type ScreenOrder, useScreenOrder } from "./use-screen-order";

/** How many changes of a tab wait, in words; undefined for none. */
export function waitingIn(project: Project, tab: string): string | undefined {
  const { screens, colors, stores } = project.unpublished;
  const count = tab === "colors" ? colors : tab === "stores" ? stores : (screens[tab] ?? 0);
  if (count === 0) return undefined;
  return count === 1 ? "1 unpublished change" : `${count} unpublished changes`;
}

export function ProjectSidebar({ project }: { project: Project }) {
  const { order, toggle } = useScreenOrder();
  const base = `/projects/${project.projectId}`;
  return (
    <SidebarSection>
      <div className={classes["project"]}>
        <b title={project.name}>{project.name}</b>
        <span className={classes["id"]}>
          <span className="mono">{project.projectId}</span>
          <CopyButton value={project.projectId} label="Copy project ID" copied="ID copied!" />
        </span>
      </div>
      <SidebarNav label="Project">
        {fixedTabs.map(({ path, title }) => (
          <SidebarLink key={path} to={`${base}/${path}`} {...dot(project, path)}>
            {title}
          </SidebarLink>
        ))}
      </SidebarNav>
      <div className={classes["screens"]}>
        <div className={classes["heading"]}>
          <SidebarHeading>Screens</SidebarHeading>
          <SortToggle order={order} onToggle={toggle} />
        </div>
        <p className={`${classes["use"]} num`} title={screenUse(project)}>
          {screenUse(project)}
        </p>
        <SidebarNav label="Screens">
          {sortedScreens(project.tabs, order).map((screen) => (
            <SidebarLink
              key={screen}
              to={`${base}/${screen}`}
              actions={<ScreenActions project={project} screen={screen} />}
              {...dot(project, screen)}
            >
              {screen}
            </SidebarLink>
          ))}
        </SidebarNav>
        <NewScreenForm project={project} />
      </div>
    </SidebarSection>
  );
}

function dot(project: Project, tab: string): { dotLabel?: string } {
  const dotLabel = waitingIn(project, tab);
  return dotLabel === undefined ? {} : { dotLabel };
}

export function screenUse(project: Project): string {
  const { screens: limit } = project.limits;
  const used = project.tabs.length - 1;
  return limit === -1 ? `${used} · ${project.tierName}` : `${used} / ${limit} · ${project.tierName}`;
}

function SortToggle({ order, onToggle }: { order: ScreenOrder; onToggle: () => void }) {
  const label = order === "name" ? "Sorted A-Z. Sort by creation" : "Sorted by creation. Sort A-Z";
  return (
    <Tooltip label={label}>
      <ActionIcon size={22} aria-label={label} onClick={onToggle}>
        {order === "name" ? (
          <IconSortAscendingLetters size={14} aria-hidden="true" />
        ) : (
          <IconSortDescending2 size={14} aria-hidden="true" />
        )}
      </ActionIcon>
    </Tooltip>
  );
}
