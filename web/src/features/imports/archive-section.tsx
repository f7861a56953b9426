/** Brings the archive of a whole project into this project, as long as it is empty. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { components } from "@/api.gen";
import { ApiError, messageOf } from "@/lib/api";
import { ARCHIVE_BYTES } from "@/lib/limits.gen";
import { invalidateProject } from "@/lib/query";
import { upload } from "@/lib/upload";
import { Notice } from "@/ui/notice";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Box, Stack } from "@/ui/parts";

type Imported = components["schemas"]["ArchiveImported"];

const TOO_LARGE = `An archive has at most ${ARCHIVE_BYTES / 1_000_000_000} GB.`;
const UNREACHABLE = "The archive was not sent: the server can't be reached, or the file is not there any more.";

/** The import of an archive: the page asks before somebody leaves it while an archive is sent. */
export function useArchiveImport(projectId: string) {
  const client = useQueryClient();
  const [share, setShare] = useState(0);
  const importing = useMutation({
    mutationFn: (file: File) => {
      if (file.size > ARCHIVE_BYTES) throw new Error(TOO_LARGE);
      setShare(0);
      const { signal } = new AbortController();
      const options = { projectId, onProgress: setShare, signal };
      return upload<Imported>("POST", `/api/import-archives/${projectId}`, file, options);
    },
    onSettled: () => invalidateProject(client, projectId),
  });
  return { ...importing, share };
}

export function ArchiveSection({ importing }: { importing: ReturnType<typeof useArchiveImport> }) {
  const input = useRef<HTMLInputElement>(null);
  const { isPending, data, error, share } = importing;
  return (
    <Panel title="A whole project">
      <PanelRow>
        <RowText name="Archive of a project">
          Texts, colours, images and Data Stores that were exported in Project Settings come into this project, as long
          as it is empty. Their releases come along if they were exported with the history.
        </RowText>
        <input
          ref={input}
          type="file"
          hidden
          accept=".zip"
          aria-label="Archive of a project"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) importing.mutate(file);
            currentTarget.value = "";
          }}
        />
        <Button size="xs" loading={isPending} onClick={() => input.current?.click()}>
          Choose an archive
        </Button>
      </PanelRow>
      {(isPending || data !== undefined || error !== null) && (
        <Box p={16}>
          {isPending ? (
            <Notice tone="plain">
              {share < 1 ? `Sending the archive: ${Math.floor(share * 100)} %` : "Reading the archive …"}
            </Notice>
          ) : error !== null ? (
            <Notice tone="bad">{problemOf(error)}</Notice>
          ) : (
            data !== undefined && <Outcome imported={data} />
          )}
        </Box>
      )}
    </Panel>
  );
}

function Outcome({ imported: { message, releases, leftOut } }: { imported: Imported }) {
  return (
    <Stack gap={8}>
      <Notice tone="ok">
        {message}{" "}
        {releases > 0
          ? `Apps have release ${releases} now. Unpublished changes of the archive are unpublished here, too.`
          : "Apps get them with the next publish, and images at once."}
      </Notice>
      {leftOut.length > 0 && (
        <Notice tone="warn">
          Not imported:
          <ul>
            {leftOut.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Notice>
      )}
    </Stack>
  );
}

function problemOf(error: Error): string {
  return error instanceof ApiError || error.message !== TOO_LARGE
    ? messageOf(error, "The archive could not be imported.", UNREACHABLE)
    : TOO_LARGE;
}
