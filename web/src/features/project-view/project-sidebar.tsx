/** The project's part of the sidebar on large screens. */
import { ActionIcon, Tooltip } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { CopyButton } from "@/ui/copy-button";
import { IconSortAscendingLetters, IconSortDescending2 } from "@/ui/icons";
import { look } from "@/ui/look";
import { Box, Row, Text } from "@/ui/parts";
import { SidebarHeading, SidebarLink, SidebarNav, SidebarSection } from "@/ui/sidebar";
import { NewScreenForm } from "./new-screen-form";
import classes from "./project-sidebar.module.css";
import { ScreenActions } from "./screen-actions";
import { sortedScreens, tabsOf } from "./tabs";
import { type ScreenOrder, useScreenOrder } from "./use-screen-order";

/** How many unpublished changes a tab has, in words; undefined if it has no changes. */
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
      <Box px={10} reveals className={classes["project"]}>
        <Box as="b" layout="block" truncate title={project.name}>
          {project.name}
        </Box>
        <Row as="span" align="center" gap={2} tone="ink-3" h={24}>
          <Text as="span" mono truncate size="xs">
            {project.projectId}
          </Text>
          <CopyButton
            value={project.projectId}
            label="Copy project ID"
            copied="ID copied!"
            className={look({ reveal: true })}
          />
        </Row>
      </Box>
      <SidebarNav label="Project">
        {tabsOf(project).map(({ path, title }) => (
          <SidebarLink key={path} to={`${base}/${path}`} {...dot(project, path)}>
            {title}
          </SidebarLink>
        ))}
      </SidebarNav>
      <div>
        <Row align="center" gap={2} className={classes["heading"]}>
          <SidebarHeading>Screens</SidebarHeading>
          <SortToggle order={order} onToggle={toggle} />
        </Row>
        <Text px={10} mb={6} tone="ink-3" truncate num className={classes["use"]} title={screenUse(project)}>
          {screenUse(project)}
        </Text>
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
