import { Button } from "@mantine/core";
import { Link } from "react-router";
import type { Project } from "@/lib/api-types";
import { may, refusals } from "@/lib/project";
import { Panel } from "@/ui/page";
import { Row, Text } from "@/ui/parts";
import classes from "@/ui/rows.module.css";

/** The way to the audit log, which is a page of its own. */
export function AuditSection({ project }: { project: Project }) {
  return (
    <Panel title="Audit log">
      <Row align="center" justify="between" gap={8} gapX={16} className={classes["row"]}>
        <Text shrink size="s" tone="ink-2" breaks className={`${classes["text"]} ${classes["note"]}`}>
          {may(project, "audit")
            ? "Who did what in this project, when and from which address, with the values before and after."
            : refusals.audit}
        </Text>
        {may(project, "audit") && (
          <Button component={Link} to={`/projects/${project.projectId}/settings/audit`} size="xs">
            Open audit log
          </Button>
        )}
      </Row>
    </Panel>
  );
}
