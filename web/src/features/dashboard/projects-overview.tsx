import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { projectsQuery, useMe } from "@/lib/queries";
import { useDelayed } from "@/lib/use-delayed";
import { Box, Grid, Heading, Text } from "@/ui/parts";
import { EmptyState, ErrorState } from "@/ui/states";
import { CreateProjectLink } from "./create-project-link";
import classes from "./dashboard-page.module.css";

/** How many projects there are, and how many of them apps can read. */
export function ProjectsOverview() {
  const { data: user } = useMe();
  const projects = useQuery(projectsQuery);
  const isSlow = useDelayed(projects.isPending);
  const total = projects.data?.length;
  const published = projects.data?.filter((project) => project.isPublished).length;
  const cards = [
    ["Total Projects", total],
    ["Published", published],
    ["Drafts", total === undefined || published === undefined ? undefined : total - published],
  ] as const;
  return (
    <section aria-labelledby="projects-overview">
      <Heading id="projects-overview" mb={10} size="s">
        My Projects Overview
      </Heading>
      {projects.isError ? (
        <Grid surface clip columns={3} style={{ display: "block" }}>
          <ErrorState
            message="Failed to fetch projects. Please try again later."
            onRetry={() => void projects.refetch()}
          />
        </Grid>
      ) : (
        <>
          <Grid as="dl" surface clip columns={3}>
            {cards.map(([label, count]) => (
              <Box key={label} px={16} py={14} className={classes["card"]}>
                <Text as="dt" size="s" tone="ink-2">
                  {label}
                </Text>
                <Text as="dd" minH={36} num figure>
                  {count ?? (isSlow ? <Skeleton height={24} width={32} mt={6} /> : null)}
                </Text>
              </Box>
            ))}
          </Grid>
          {total === 0 && (
            <Box mt={12} surface>
              <EmptyState action={<CreateProjectLink />}>
                Create a project for your app: it holds the app's texts, colours, images and data, and changes them
                while the app runs.
                {user?.billing === "credits" && !user.freeMonthUsed && " The first month is free."}
              </EmptyState>
            </Box>
          )}
        </>
      )}
    </section>
  );
}
