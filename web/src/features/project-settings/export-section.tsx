/** Texts, colours and items as files of other tools, and the whole project as an archive: everybody in the project may take them along. */
import { Button, Select } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, failureOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { fileNameOf, saveFile } from "@/lib/download";
import { useLanguageNames } from "@/lib/languages";
import { formatsQuery, storesQuery } from "@/lib/queries";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Row } from "@/ui/parts";

type Source = "draft" | "release";
type Saved = Promise<{ data?: Blob; error?: unknown; response: Response }>;

const COLORS = {
  css: "CSS variables",
  tailwind: "Tailwind theme",
  design_tokens: "Design tokens",
  android: "Android",
  apple: "Xcode",
} as const;
const ITEMS = { json: "JSON", csv: "CSV", xlsx: "Excel" } as const;
const ALL = "";

export function ExportSection({ project }: { project: Project }) {
  const [source, setSource] = useState<Source>("draft");
  return (
    <Panel
      title="Export"
      aside={
        <Choice
          label="What to export"
          options={{ draft: "The draft", release: "What apps have" }}
          value={source}
          onChange={setSource}
          isDisabled={!project.isPublished}
        />
      }
    >
      <Texts project={project} source={source} />
      <Colors projectId={project.projectId} source={source} />
      <Items projectId={project.projectId} />
      <Whole projectId={project.projectId} />
    </Panel>
  );
}

function Texts({ project: { projectId, languages }, source }: { project: Project; source: Source }) {
  const { data: formats = [] } = useQuery(formatsQuery);
  const nameOf = useLanguageNames();
  const [format, setFormat] = useState("json");
  const [language, setLanguage] = useState(ALL);
  const names = Object.fromEntries(languages.map((code) => [code, nameOf(code).name]));
  const path = { projectId };
  const query = { format, from: source, ...(language !== ALL && { language: [language] }) };
  return (
    <PanelRow>
      <RowText name="Texts">Several files come as an archive, with remarks about what the format can't keep.</RowText>
      <Row wrap gap={8}>
        <Choice
          label="Language of the texts"
          options={{ [ALL]: "All languages", ...names }}
          value={language}
          onChange={setLanguage}
        />
        <Choice
          label="Format of the texts"
          options={Object.fromEntries(
            formats.filter(({ kind }) => kind === "texts").map(({ id, label }) => [id, label]),
          )}
          value={format}
          onChange={setFormat}
        />
        <Download
          label="Download texts"
          ask={() => api.GET("/api/projects/{projectId}/exports/texts", { params: { path, query }, parseAs: "blob" })}
        />
      </Row>
    </PanelRow>
  );
}

function Colors({ projectId, source }: { projectId: string; source: Source }) {
  const [format, setFormat] = useState<keyof typeof COLORS>("css");
  const params = { path: { projectId }, query: { format, from: source } };
  return (
    <PanelRow>
      <RowText name="Colours">For style sheets, design tools and native apps.</RowText>
      <Row wrap gap={8}>
        <Choice label="Format of the colours" options={COLORS} value={format} onChange={setFormat} />
        <Download
          label="Download colours"
          ask={() => api.GET("/api/projects/{projectId}/exports/colors", { params, parseAs: "blob" })}
        />
      </Row>
    </PanelRow>
  );
}

function Items({ projectId }: { projectId: string }) {
  const { data: stores = [] } = useQuery(storesQuery(projectId));
  const [chosen, setStore] = useState<string>();
  const [format, setFormat] = useState<keyof typeof ITEMS>("csv");
  const store = chosen ?? stores[0]?.apiIdentifier;
  if (store === undefined) return null;
  const params = { path: { projectId, apiIdentifier: store }, query: { format } };
  const address = "/api/projects/{projectId}/exports/stores/{apiIdentifier}";
  return (
    <PanelRow>
      <RowText name="Items of a Data Store">A row for each item of the draft, a column for each language.</RowText>
      <Row wrap gap={8}>
        <Choice
          label="Data Store"
          options={Object.fromEntries(stores.map(({ apiIdentifier, name }) => [apiIdentifier, name]))}
          value={store}
          onChange={setStore}
        />
        <Choice label="Format of the items" options={ITEMS} value={format} onChange={setFormat} />
        <Download label="Download items" ask={() => api.GET(address, { params, parseAs: "blob" })} />
      </Row>
    </PanelRow>
  );
}

function Whole({ projectId }: { projectId: string }) {
  const [history, setHistory] = useState<"draft" | "history">("draft");
  const params = { path: { projectId }, query: { history: history === "history" } };
  return (
    <PanelRow>
      <RowText name="The whole project">
        One archive with the texts, colours, images and Data Stores of the draft. It can be read without Livery.
      </RowText>
      <Row wrap gap={8}>
        <Choice
          label="History in the archive"
          options={{ draft: "Without history", history: "With history" }}
          value={history}
          onChange={setHistory}
        />
        <Download
          label="Download the whole project"
          ask={() => api.GET("/api/projects/{projectId}/exports/archive", { params, parseAs: "blob" })}
        />
      </Row>
    </PanelRow>
  );
}

function Choice<Value extends string>({
  label,
  options,
  value,
  onChange,
  isDisabled = false,
}: {
  label: string;
  options: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
  isDisabled?: boolean;
}) {
  const data = Object.entries<string>(options).map(([id, name]) => ({ value: id, label: name }));
  return (
    <Select
      size="xs"
      w={180}
      aria-label={label}
      allowDeselect={false}
      disabled={isDisabled}
      data={data}
      value={value}
      onChange={(id) => {
        if (id !== null) onChange(id as Value);
      }}
    />
  );
}

function Download({ label, ask }: { label: string; ask: () => Saved }) {
  const saving = useMutation({
    mutationFn: async () => {
      let name = "livery-export";
      const file = await take(
        ask().then((outcome) => {
          name = fileNameOf(outcome.response, name);
          return outcome;
        }),
      );
      saveFile(file, name);
    },
    onError: (error) => toast.error(failureOf(error, "Failed to export.")),
  });
  return (
    <Button size="xs" aria-label={label} loading={saving.isPending} onClick={() => saving.mutate()}>
      Download
    </Button>
  );
}
