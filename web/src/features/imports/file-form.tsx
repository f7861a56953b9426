/** Corrects what the server found out about a file: its format, its language, its namespace. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import type { Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { NAMESPACE_CHARACTERS } from "@/lib/limits.gen";
import { Grid, Row, Stack, Text } from "@/ui/parts";
import { formatsOf } from "./file-kinds";
import type { Choice, GivenFile } from "./import-files";
import { FOUND_BY, MatchSelect } from "./match-select";
import type { Format, Store } from "./queries";

export function FileForm({
  project,
  given,
  formats,
  stores,
  onChange,
  onClose,
}: {
  project: Project;
  given: GivenFile;
  formats: readonly Format[];
  stores: readonly Store[];
  onChange: (choice: Choice) => void;
  onClose: () => void;
}) {
  const { read, choice, path } = given;
  const nameOf = useLanguageNames();
  const [format, setFormat] = useState(read?.format ?? choice.format ?? "");
  const [language, setLanguage] = useState(read?.language ?? choice.language ?? "");
  const [namespace, setNamespace] = useState(read?.namespace ?? choice.namespace ?? "");
  const codes = new Set([...project.languages, ...(language === "" ? [] : [language])]);
  const store = stores.find(({ apiIdentifier, _id }) => apiIdentifier === choice.store || _id === read?.store);
  const [match, setMatch] = useState(read?.match ?? choice.match ?? "");
  const chosen = formats.find(({ id }) => id === format);
  const hasManyLanguages = chosen?.hasManyLanguages === true;
  const hasTexts = store === undefined && chosen?.kind !== "colors";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (store !== undefined)
      onChange({ store: store.apiIdentifier, ...(format !== "" && { format }), ...(match !== "" && { match }) });
    else if (!hasTexts) onChange({ format });
    else
      onChange({
        ...(format !== "" && { format }),
        ...(language !== "" && !hasManyLanguages && { language }),
        // Without a change the path of the file goes on naming it.
        ...(namespace !== (read?.namespace ?? "") || choice.namespace !== undefined
          ? { namespace: namespace.trim() }
          : {}),
      });
    onClose();
  };
  return (
    <Stack as="form" gap={12} p={14} fill="sunken" radius="m" aria-label={`How to read ${path}`} onSubmit={submit}>
      <Grid gap={12} columns={3} smallColumns={1}>
        <NativeSelect
          label="Format"
          data={[
            ...(format === "" ? [{ value: "", label: "Choose…" }] : []),
            ...formatsOf(formats, store !== undefined).map(({ id, label }) => ({ value: id, label })),
          ]}
          value={format}
          onChange={(event) => setFormat(event.currentTarget.value)}
        />
        {store !== undefined && <MatchSelect store={store} value={match} onChange={setMatch} />}
        {hasTexts && (
          <>
            <NativeSelect
              label="Language"
              disabled={hasManyLanguages}
              data={
                hasManyLanguages
                  ? [{ value: language, label: "Named in the file" }]
                  : [
                      ...(language === "" ? [{ value: "", label: "Choose…" }] : []),
                      ...[...codes].map((code) => ({ value: code, label: nameOf(code).name })),
                    ]
              }
              value={language}
              onChange={(event) => setLanguage(event.currentTarget.value)}
            />
            <TextInput
              label="Namespace"
              placeholder="None"
              autoComplete="off"
              spellCheck={false}
              maxLength={NAMESPACE_CHARACTERS}
              value={namespace}
              onChange={(event) => setNamespace(event.currentTarget.value)}
            />
          </>
        )}
      </Grid>
      <Row wrap align="center" justify="between" gap={8}>
        <Text size="s" tone="ink-3">
          {store !== undefined ? FOUND_BY : hasTexts ? "A namespace is the screen of all texts of the file." : ""}
        </Text>
        <Row gap={8} ms="auto">
          <Button size="xs" onClick={onClose}>
            Cancel
          </Button>
          <Button size="xs" type="submit" variant="filled">
            Read again
          </Button>
        </Row>
      </Row>
    </Stack>
  );
}
