import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { projectsQuery, useMe } from "@/lib/queries";
import { useDelayed } from "@/lib/use-delayed";
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
      <h2 id="projects-overview" className={classes["heading"]}>
        My Projects Overview
      </h2>
      {projects.isError ? (
        <div className={classes["cards"]} style={{ display: "block" }}>
          <ErrorState
            message="Failed to fetch projects. Please try again later."
            onRetry={() => void projects.refetch()}
          />
        </div>
      ) : (
        <>
          <dl className={classes["cards"]}>
            {cards.map(([label, count]) => (
              <div key={label} className={classes["card"]}>
                <dt>{label}</dt>
                <dd>{count ?? (isSlow ? <Skeleton height={24} width={32} mt={6} /> : null)}</dd>
              </div>
            ))}
          </dl>
          {total === 0 && (
            <div className={classes["first"]}>
              <EmptyState action={<CreateProjectLink />}>
                Create a project for your app: it holds the app's texts, colours, images and data, and changes them
                while the app runs.
                {user?.billing === "credits" && !user.freeMonthUsed && " The first month is free."}
              </EmptyState>
            </div>
          )}
        </>
      )}
    </section>
  );
}
