import { Button } from "@mantine/core";
import { Link } from "react-router";
import type { Project } from "@/lib/api-types";
import { may, refusals } from "@/lib/project";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";

/** The way to the audit log, which is a page of its own. */
export function AuditSection({ project }: { project: Project }) {
  return (
    <Panel title="Audit log">
      <PanelRow>
        <RowText>
          {may(project, "audit")
            ? "Who did what in this project, when and from which address, with the values before and after."
            : refusals.audit}
        </RowText>
        {may(project, "audit") && (
          <Button component={Link} to={`/projects/${project.projectId}/settings/audit`} size="xs">
            Open audit log
          </Button>
        )}
      </PanelRow>
    </Panel>
  );
}
