import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { User } from "@/lib/api-types";
import { projectsQuery, useMe } from "@/lib/queries";
import { useDelayed } from "@/lib/use-delayed";
import { CreditsBadge, CreditsHelp } from "@/ui/credits";
import { PageBody, PageHeader } from "@/ui/page";
import { Heading, Row, Stack } from "@/ui/parts";
import { PendingActivationNotice } from "@/ui/pending-activation-notice";
import { EmptyState, ErrorState } from "@/ui/states";
import { CreateProjectLink } from "./create-project-link";
import classes from "./dashboard-page.module.css";
import { Invitations } from "./invitations";
import { ProjectsOverview } from "./projects-overview";
import { RecentActivity } from "./recent-activity";
import { UpgradeBanner } from "./upgrade-banner";
import { VerifyNotice } from "./verify-notice";

export function DashboardPage() {
  const me = useMe();
  const isSlow = useDelayed(me.isPending);
  const isVerified = me.data?.isVerified === true;
  const projects = useQuery({ ...projectsQuery, enabled: isVerified });
  // Who has no project yet finds the button in the middle, beside what it leads to.
  const isHere = projects.isError || (projects.data !== undefined && projects.data.length > 0);
  const actions = (
    <>
      <Button component={Link} to="/settings">
        Account Settings
      </Button>
      {isVerified && isHere && <CreateProjectLink />}
    </>
  );
  return (
    <>
      <PageHeader title="Dashboard" actions={actions} />
      <PageBody width="wide">
        {me.data !== undefined ? (
          <Overview user={me.data} />
        ) : me.isError ? (
          <ErrorState message="Failed to fetch user data" onRetry={() => void me.refetch()} />
        ) : (
          isSlow && <EmptyState>Loading user data...</EmptyState>
        )}
      </PageBody>
    </>
  );
}

function Overview({ user }: { user: User }) {
  return (
    <Stack gap={24}>
      <UpgradeBanner />
      {user.billing === "credits" && <PendingActivationNotice credits={user.credits} />}
      <Row
        as="section"
        wrap
        align="center"
        justify="between"
        gap={8}
        gapX={16}
        className={classes["welcome"]}
        aria-label="Welcome"
      >
        <Heading breaks>Welcome, {user.name}</Heading>
        {user.billing === "credits" && (
          <Row align="center" gap={4}>
            <CreditsBadge credits={user.credits} />
            <CreditsHelp />
          </Row>
        )}
      </Row>
      {user.isVerified ? (
        <>
          <Invitations />
          <ProjectsOverview />
          <RecentActivity />
        </>
      ) : (
        <VerifyNotice user={user} />
      )}
    </Stack>
  );
}
