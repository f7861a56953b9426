/** A file of an import: what the server read in it, or why it read nothing. */
import { ActionIcon, Button, Progress, Tooltip } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { IconTrash } from "@/ui/icons";
import { Row, Stack, Text } from "@/ui/parts";
import { FileForm } from "./file-form";
import { countedIn } from "./file-kinds";
import type { GivenFile, ImportFiles } from "./import-files";
import type { Format, Store } from "./queries";

export function FileRow({
  project,
  given,
  files,
  formats,
  stores,
}: {
  project: Project;
  given: GivenFile;
  files: ImportFiles;
  formats: readonly Format[];
  stores: readonly Store[];
}) {
  const { id, path, file, state, problem } = given;
  const [isOpen, setOpen] = useState(false);
  const isAtRest = state === "read" || state === "failed";
  return (
    <Stack as="li" gap={8} px={16} py={10} lineAbove>
      <Row wrap align="center" gap={4} gapX={12}>
        <Stack gap={2} grow shrink>
          <Text as="span" code size="note" breaks>
            {path}
          </Text>
          <Facts given={given} formats={formats} stores={stores} />
        </Stack>
        <Row align="center" gap={4}>
          {state === "failed" && file !== null && (
            <Button size="xs" aria-label={`Try again: ${path}`} onClick={() => files.retry(id)}>
              Try again
            </Button>
          )}
          {isAtRest && file !== null && (
            <Button
              size="xs"
              variant="subtle"
              aria-label={`Change how ${path} is read`}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              Change
            </Button>
          )}
          <Tooltip label={`Remove ${path}`}>
            <ActionIcon
              size={28}
              aria-label={`Remove ${path}`}
              disabled={state === "sending"}
              onClick={() => void files.remove(id)}
            >
              <IconTrash size={15} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        </Row>
      </Row>
      {state === "sending" && <Progress value={given.share * 100} size="sm" aria-label={`Sending ${path}`} />}
      {problem !== null && (
        <Text size="s" tone="bad" role="alert">
          {problem}
        </Text>
      )}
      {isOpen && isAtRest && (
        <FileForm
          project={project}
          given={given}
          formats={formats}
          stores={stores}
          onChange={(choice) => void files.change(id, choice)}
          onClose={() => setOpen(false)}
        />
      )}
    </Stack>
  );
}

/** 'i18next · German · 204 texts', or where the file is on its way. */
function Facts({
  given: { state, read, file },
  formats,
  stores,
}: {
  given: GivenFile;
  formats: readonly Format[];
  stores: readonly Store[];
}) {
  const nameOf = useLanguageNames();
  const store = stores.find(({ _id }) => _id === read?.store);
  if (state === "waiting") return <Line>Waiting</Line>;
  if (state === "sending") return <Line>Sending…</Line>;
  if (read === null) return <Line>Not read</Line>;
  const format = formats.find(({ id }) => id === read.format);
  const isUnknown = read.language === null && format !== undefined && !format.hasManyLanguages;
  const languages = read.language !== null ? [nameOf(read.language).name] : isUnknown ? [] : ["several languages"];
  const facts = [
    format?.label ?? read.format,
    ...(read.kind === "texts" ? languages : []),
    ...(read.namespace === null ? [] : [`namespace ${read.namespace}`]),
    ...(store === undefined ? [] : [`Data Store ${store.name}`]),
    ...(read.match === null ? [] : [`found by ${read.match}`]),
    countedIn([read], read.texts),
  ];
  return (
    <>
      <Line>{facts.join(" · ")}</Line>
      {isUnknown && (
        <Text as="span" size="s" tone="warn">
          Its language is unknown.{" "}
          {file === null ? "Give the file again with a language in its name." : "Choose the language with Change."}
        </Text>
      )}
    </>
  );
}

function Line({ children }: { children: ReactNode }) {
  return (
    <Text as="span" size="s" tone="ink-2" num>
      {children}
    </Text>
  );
}
