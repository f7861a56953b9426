/** Takes files and folders, by drop or by a chooser, and lists what was given. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useDropzone } from "react-dropzone";
import type { Project } from "@/lib/api-types";
import { counted } from "@/lib/counted";
import { IMPORT_FILES } from "@/lib/limits.gen";
import { formatsQuery } from "@/lib/queries";
import { DropZone } from "@/ui/drop-zone";
import { IconUpload } from "@/ui/icons";
import { look } from "@/ui/look";
import { Panel } from "@/ui/page";
import { Box, Row, Stack, Text } from "@/ui/parts";
import { FileRow } from "./file-row";
import { takenOf } from "./given-paths";
import type { GivenFile, ImportFiles } from "./import-files";
import type { Format } from "./queries";

export function FilesSection({
  project,
  files,
  given,
}: {
  project: Project;
  files: ImportFiles;
  given: readonly GivenFile[];
}) {
  const formats = useQuery(formatsQuery).data ?? [];
  const folder = useRef<HTMLInputElement>(null);
  const [left, setLeft] = useState<string | null>(null);
  const problemId = useId();
  const add = (chosen: readonly File[]) => {
    const { taken, left: others } = takenOf(chosen, formats);
    const over = files.add(taken);
    const notes = [
      ...(others > 0
        ? [`${counted(others, "file")} of the folder ${others === 1 ? "is" : "are"} of no format of Livery.`]
        : []),
      ...(over > 0 ? [`An import has at most ${IMPORT_FILES} files: ${counted(over, "file")} left out.`] : []),
    ];
    setLeft(notes.length === 0 ? null : notes.join(" "));
  };
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    onDrop: (accepted) => add(accepted),
  });
  return (
    <Panel title="Files" aside={<Progress given={given} />}>
      <Stack gap={10} p={16} place="relative" {...getRootProps()}>
        <input
          className={look({ place: "absolute" })}
          {...getInputProps({ "aria-label": "Files of texts", tabIndex: -1, multiple: true })}
        />
        <input
          ref={folder}
          className={look({ place: "absolute" })}
          type="file"
          hidden
          aria-label="Folder of texts"
          // React has no type for it.
          {...{ webkitdirectory: "" }}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])]);
            currentTarget.value = "";
          }}
        />
        <DropZone
          isActive={isDragActive}
          isLow={given.length > 0}
          problemId={left === null ? undefined : problemId}
          onClick={open}
        >
          {given.length === 0 && <IconUpload size={24} stroke={1.5} aria-hidden="true" />}
          <span>
            <Text as="b" weight={600} tone="accent-text">
              Choose {given.length === 0 ? "files" : "more files"}
            </Text>
            , or drag and drop files or a folder here
          </span>
        </DropZone>
        <Row wrap align="center" gap={8}>
          <Button size="xs" onClick={() => folder.current?.click()}>
            Choose a folder
          </Button>
          {left !== null && (
            <Text size="s" tone="warn" id={problemId} role="status">
              {left}
            </Text>
          )}
        </Row>
        {given.length === 0 && (
          <Text size="xs" tone="ink-3">
            {formatsIn(formats)}
          </Text>
        )}
      </Stack>
      {given.length > 0 && (
        <Box as="ul" aria-label="Files of the import">
          {given.map((one) => (
            <FileRow key={one.id} project={project} given={one} files={files} formats={formats} />
          ))}
        </Box>
      )}
    </Panel>
  );
}

/** 'JSON, nested (.json), …': each extension once. */
function formatsIn(formats: readonly Format[]): string {
  return formats.map(({ label, extensions }) => `${label} (${extensions.join(", ")})`).join(" · ");
}

/** How far the files are, also for people who do not see them. */
function Progress({ given }: { given: readonly GivenFile[] }) {
  const done = given.filter(({ state }) => state === "read" || state === "failed").length;
  const texts = given.reduce((sum, { read }) => sum + (read?.texts ?? 0), 0);
  const words =
    given.length === 0
      ? ""
      : done < given.length
        ? `Sending file ${(done + 1).toLocaleString("en")} of ${given.length.toLocaleString("en")}`
        : `${counted(given.length, "file")}, ${counted(texts, "text")}`;
  return (
    <Text as="span" size="s" tone="ink-2" num role="status">
      {words}
    </Text>
  );
}
