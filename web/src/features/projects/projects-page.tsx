import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { ProjectSummary } from "@/lib/api-types";
import { projectsQuery, useMe } from "@/lib/queries";
import { formatDay } from "@/lib/time";
import { Badge } from "@/ui/badge";
import card from "@/ui/card.module.css";
import { CreditsBadge, CreditsHelp } from "@/ui/credits";
import { IconPlus, IconSettings } from "@/ui/icons";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { PageBody, PageHeader } from "@/ui/page";
import { Box, Grid, Heading, Row, Stack, Text } from "@/ui/parts";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import classes from "./projects-page.module.css";

/** Shown on the page as well as by the button: a finger points at nothing before it taps. */
const UNVERIFIED = "Please verify your email to create projects.";

export function ProjectsPage() {
  const { data: user } = useMe();
  const projects = useQuery(projectsQuery);
  const isUnverified = user?.isVerified === false;
  return (
    <>
      <PageHeader
        title="Your Projects"
        actions={
          <>
            {user?.billing === "credits" && (
              <>
                <CreditsHelp />
                <CreditsBadge credits={user.credits} />
              </>
            )}
            <Tooltip label="Account Settings">
              <ActionIcon component={Link} to="/settings" aria-label="Account Settings">
                <IconSettings size={17} stroke={1.6} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
            {/* In an empty list, the link is the only button, in the middle. */}
            {projects.data?.length !== 0 && <CreateLink isVerified={user?.isVerified ?? false} />}
          </>
        }
      />
      <PageBody>
        {isUnverified && projects.data?.length !== 0 && (
          <Box mb={16}>
            <Notice tone="warn">{UNVERIFIED}</Notice>
          </Box>
        )}
        {projects.isPending ? (
          <LoadingRows rows={3} height={140} label="Loading projects" />
        ) : projects.isError ? (
          <ErrorState
            message="Failed to fetch projects. Please try again later."
            onRetry={() => void projects.refetch()}
          />
        ) : projects.data.length === 0 ? (
          <EmptyState
            action={
              <>
                <CreateLink isVerified={user?.isVerified ?? false} />
                {isUnverified && <Notice tone="warn">{UNVERIFIED}</Notice>}
              </>
            }
          >
            No projects found. Get started by creating one!
          </EmptyState>
        ) : (
          <Grid as="ul" gap={16} fit={290}>
            {projects.data.map((project) => (
              <ProjectCard key={project.projectId} project={project} />
            ))}
          </Grid>
        )}
      </PageBody>
    </>
  );
}

function CreateLink({ isVerified }: { isVerified: boolean }) {
  const icon = <IconPlus size={15} aria-hidden="true" />;
  if (isVerified) {
    return (
      <Button component={Link} to="/projects/create" variant="filled" leftSection={icon}>
        Create Project
      </Button>
    );
  }
  return (
    <Tooltip label={UNVERIFIED}>
      <Button
        variant="filled"
        leftSection={icon}
        data-disabled
        aria-disabled="true"
        aria-description={UNVERIFIED}
        onClick={(event) => event.preventDefault()}
      >
        Create Project
      </Button>
    </Tooltip>
  );
}

function ProjectCard({ project }: { project: ProjectSummary }) {
  return (
    <Stack as="li" shrink place="relative" p={16} surface className={card["card"]}>
      <Row align="start" justify="between" gap={12} className={card["head"]}>
        <Heading shrink breaks>
          {project.name}
        </Heading>
        {project.isPublished ? <Badge tone="quiet">Published</Badge> : <Badge tone="warn">Draft</Badge>}
      </Row>
      <Text tone="ink-3" breaks mono>
        {project.projectId}
      </Text>
      <Row
        align="baseline"
        justify="between"
        gap={12}
        pt={22}
        mt="auto"
        size="s"
        tone="ink-3"
        smallPt={10}
        className={classes["foot"]}
      >
        <span>
          Updated <time dateTime={project.updatedAt}>{formatDay(project.updatedAt)}</time>
        </span>
        <Link
          to={`/projects/${project.projectId}/general`}
          className={look({ touch: true }, card["cover"], classes["view"])}
          aria-label={`View Project: ${project.name}`}
        >
          View Project
        </Link>
      </Row>
    </Stack>
  );
}
