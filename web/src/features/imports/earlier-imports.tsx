/** The imports of the last seven days: who made each, of which files, and the way to go on with it or to undo it. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { failureOf, messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { listed } from "@/lib/counted";
import { Badge, type BadgeTone } from "@/ui/badge";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Box, Row } from "@/ui/parts";
import { RelativeTime } from "@/ui/relative-time";
import { ErrorState } from "@/ui/states";
import { countedIn } from "./file-kinds";
import { type Import, importsQuery, useDiscard } from "./queries";
import { UndoImport } from "./undo-import";

const SHOWN_FILES = 3;

const states: Readonly<Record<Import["state"], { word: string; tone: BadgeTone }>> = {
  open: { word: "Open", tone: "warn" },
  applied: { word: "Imported", tone: "ok" },
  undone: { word: "Undone", tone: "quiet" },
};

export function EarlierImports({
  project,
  current,
  onContinue,
}: {
  project: Project;
  /** The import that the page is about, which is not listed. */
  current: string | null;
  /** Null while another import is on the page. */
  onContinue: ((importId: string) => void) | null;
}) {
  const { data, error, isError, refetch } = useQuery(importsQuery(project.projectId));
  const discard = useDiscard(project.projectId);
  if (data === undefined && isError)
    return (
      <ErrorState message={messageOf(error, "Failed to fetch the earlier imports.")} onRetry={() => void refetch()} />
    );
  const imports = data?.filter(({ _id }) => _id !== current) ?? [];
  if (imports.length === 0) return null;
  return (
    <Panel title="Imports of the last seven days">
      <Box as="ul" aria-label="Imports of the last seven days">
        {imports.map((one) => (
          <PanelRow as="li" key={one._id}>
            <RowText
              isStrong
              name={
                <>
                  {filesIn(one)} <Badge tone={states[one.state].tone}>{states[one.state].word}</Badge>
                </>
              }
            >
              {makerOf(one, project)}, <RelativeTime moment={one.appliedAt ?? one.createdAt} />
              {one.state !== "open" && ` · ${countedIn(one.files, one.texts)}`}
            </RowText>
            {one.state === "open" && onContinue !== null && (
              <Row gap={8}>
                <Button
                  size="xs"
                  variant="subtle"
                  aria-label={`Discard the import of ${filesIn(one)}`}
                  loading={discard.isPending && discard.variables._id === one._id}
                  onClick={() =>
                    discard.mutate(one, {
                      onError: (failure) => toast.error(failureOf(failure, "Failed to discard the import.")),
                    })
                  }
                >
                  Discard
                </Button>
                <Button
                  size="xs"
                  aria-label={`Continue the import of ${filesIn(one)}`}
                  onClick={() => onContinue(one._id)}
                >
                  Continue
                </Button>
              </Row>
            )}
            {one.state === "applied" && (
              <UndoImport
                projectId={project.projectId}
                importId={one._id}
                entries={countedIn(one.files, one.texts)}
                label={`Undo the import of ${filesIn(one)}`}
                onUndone={(message) => toast.success(message)}
              />
            )}
          </PanelRow>
        ))}
      </Box>
    </Panel>
  );
}

function filesIn({ files }: Import): string {
  const names = files.map(({ name }) => name);
  const more = names.length - SHOWN_FILES;
  return listed(more > 0 ? [...names.slice(0, SHOWN_FILES), `${more} more`] : names);
}

function makerOf({ createdBy }: Import, project: Project): string {
  const member = project.members.find(({ user }) => user._id === createdBy);
  return member === undefined ? "Somebody who left" : member.user.name || member.user.email;
}
