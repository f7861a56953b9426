/** Takes files and folders, by drop or by a chooser, and lists what was given. */
import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useDropzone } from "react-dropzone";
import type { Project } from "@/lib/api-types";
import { counted, listed } from "@/lib/counted";
import { IMPORT_FILES } from "@/lib/limits.gen";
import { formatsQuery, storesQuery } from "@/lib/queries";
import { DropZone } from "@/ui/drop-zone";
import { IconUpload } from "@/ui/icons";
import { look } from "@/ui/look";
import { Panel } from "@/ui/page";
import { Box, Grid, Row, Stack, Text } from "@/ui/parts";
import { countedIn, formatsOf } from "./file-kinds";
import { FileRow } from "./file-row";
import { takenOf } from "./given-paths";
import type { GivenFile, ImportFiles } from "./import-files";
import { FOUND_BY, MatchSelect } from "./match-select";
import type { Format, Store } from "./queries";

const SHOWN_COLUMNS = 10;

export function FilesSection({
  project,
  files,
  given,
  initialStore,
}: {
  project: Project;
  files: ImportFiles;
  given: readonly GivenFile[];
  /** The API identifier of the Data Store whose items the files have at first; empty for texts and colours. */
  initialStore: string;
}) {
  const all = useQuery(formatsQuery).data ?? [];
  const stores = useQuery(storesQuery(project.projectId)).data ?? [];
  const [chosen, setChosen] = useState(initialStore);
  const [match, setMatch] = useState("");
  const store = stores.find(({ apiIdentifier }) => apiIdentifier === chosen);
  const formats = formatsOf(all, chosen !== "");
  const folder = useRef<HTMLInputElement>(null);
  const [left, setLeft] = useState<string | null>(null);
  const problemId = useId();
  const add = (dropped: readonly File[]) => {
    const { taken, left: others } = takenOf(dropped, formats);
    const over = files.add(taken, { ...(chosen !== "" && { store: chosen }), ...(match !== "" && { match }) });
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
        {stores.length > 0 && (
          <Grid gap={12} columns={3} smallColumns={1}>
            <NativeSelect
              label="The files have"
              data={[
                { value: "", label: "Texts or colours" },
                ...stores.map(({ apiIdentifier, name }) => ({ value: apiIdentifier, label: `Items of ${name}` })),
              ]}
              value={chosen}
              onChange={(event) => {
                setChosen(event.currentTarget.value);
                setMatch("");
              }}
            />
            {store !== undefined && <MatchSelect store={store} value={match} onChange={setMatch} />}
          </Grid>
        )}
        <input
          className={look({ place: "absolute" })}
          {...getInputProps({ "aria-label": "Files to import", tabIndex: -1, multiple: true })}
        />
        <input
          ref={folder}
          className={look({ place: "absolute" })}
          type="file"
          hidden
          aria-label="Folder to import"
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
            {store !== undefined && `The columns are ${columnsOf(store, project.languages)}. ${FOUND_BY} `}
            {formatsIn(formats)}
          </Text>
        )}
      </Stack>
      {given.length > 0 && (
        <Box as="ul" aria-label="Files of the import">
          {given.map((one) => (
            <FileRow key={one.id} project={project} given={one} files={files} formats={all} stores={stores} />
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

/** '_id, title[en], title[de], price': as an export writes them. */
function columnsOf({ fields }: Store, languages: readonly string[]): string {
  const columns = fields.flatMap(({ name, isTranslatable }) =>
    isTranslatable ? languages.map((code) => `${name}[${code}]`) : [name],
  );
  return listed(["_id", ...columns].slice(0, SHOWN_COLUMNS).concat(columns.length >= SHOWN_COLUMNS ? ["more"] : []));
}

/** How far the files are, also for people who do not see them. */
function Progress({ given }: { given: readonly GivenFile[] }) {
  const done = given.filter(({ state }) => state === "read" || state === "failed").length;
  const read = given.flatMap((one) => one.read ?? []);
  const entries = read.reduce((sum, { texts }) => sum + texts, 0);
  const words =
    given.length === 0
      ? ""
      : done < given.length
        ? `Sending file ${(done + 1).toLocaleString("en")} of ${given.length.toLocaleString("en")}`
        : `${counted(given.length, "file")}, ${countedIn(read, entries)}`;
  return (
    <Text as="span" size="s" tone="ink-2" num role="status">
      {words}
    </Text>
  );
}
