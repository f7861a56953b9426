import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { ActivityEntry } from "@/lib/api-types";
import { projectsQuery } from "@/lib/queries";
import { apiQuery } from "@/lib/query";
import { Panel } from "@/ui/page";
import { Row, Text } from "@/ui/parts";
import { RelativeTime } from "@/ui/relative-time";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import classes from "./dashboard-page.module.css";

const SHOWN = 5;

/** The last five operations in the user's projects. */
export function RecentActivity() {
  const activity = useQuery(apiQuery("/api/activity", { query: { limit: SHOWN } }));
  return (
    <Panel title="Recent Activity">
      {activity.isPending ? (
        <LoadingRows rows={SHOWN} label="Loading recent activity" />
      ) : activity.isError ? (
        <ErrorState message="The recent activity could not be loaded." onRetry={() => void activity.refetch()} />
      ) : activity.data.length === 0 ? (
        <EmptyState>No recent activity to display.</EmptyState>
      ) : (
        <ul>
          {activity.data.slice(0, SHOWN).map((entry) => (
            <Entry key={entry._id} entry={entry} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Entry({ entry }: { entry: ActivityEntry }) {
  const { data: projects, isError } = useQuery(projectsQuery);
  const project = projects?.find((candidate) => candidate.projectId === entry.projectId);
  // 'Published release 4' reads on from a name in lower case.
  const sentence = entry.actor ? entry.action.charAt(0).toLowerCase() + entry.action.slice(1) : entry.action;
  const namesProject = project !== undefined && entry.target === project.name;
  return (
    <Row as="li" align="baseline" gap={16} px={16} py={11} minH={44} lineAbove className={classes["entry"]}>
      <Text grow shrink breaks>
        {entry.actor ? <b>{entry.actor} </b> : null}
        {sentence}
        {project !== undefined && !namesProject && (
          <>
            {" in "}
            <Link to={`/projects/${project.projectId}/general`} title={project.projectId}>
              {project.name}
            </Link>
          </>
        )}
        {/* Without the list there is no name to show. */}
        {isError && entry.projectId && (
          <>
            {" in "}
            <Link to={`/projects/${entry.projectId}/general`}>{entry.projectId}</Link>
          </>
        )}
      </Text>
      <RelativeTime moment={entry.timestamp} />
    </Row>
  );
}
