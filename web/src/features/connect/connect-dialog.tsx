/** Shows what an app needs to read this project's content. */
import { Modal, UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import type { Project } from "@/lib/api-types";
import { BASE, SERVER } from "@/lib/base";
import { CopyButton } from "@/ui/copy-button";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Box, Grid, Row, Stack, Text } from "@/ui/parts";
import classes from "./connect-dialog.module.css";
import { usePackages } from "./packages";
import { useSampleText } from "./sample";
import { snippets } from "./snippets";

const LABEL = "Connect your app";

/** Shown in the code in place of a key that can't be shown. */
const UNSHOWN = "lvp_…";

export function ConnectDialog({
  project,
  opened,
  onClose,
}: {
  project: Project;
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={LABEL} size={620}>
      <Connection project={project} />
    </Modal>
  );
}

function Connection({ project }: { project: Project }) {
  const [chosen, setChosen] = useState<Tab>("react");
  const { install, code } = snippets[chosen]({
    projectId: project.projectId,
    key: project.publishableKey ?? UNSHOWN,
    baseUrl: SERVER,
    text: useSampleText(project),
    packages: usePackages(),
  });
  return (
    <Stack gap={14} tone="ink-2">
      <p>
        Your app reads its texts and colours from here, and shows a publish within a second, without a new release of
        the app. Without a network it keeps what it has.
      </p>
      <Box as="dl" border="line" radius="m" className={classes["values"]}>
        <Value name="Project ID" value={project.projectId} copied="ID copied!" />
        {project.publishableKey !== null && (
          <Value name="Publishable key" value={project.publishableKey} copied="Key copied!" />
        )}
      </Box>
      {project.publishableKey === null && (
        <Notice tone="warn">
          This server can't show the publishable key any more. Apps that have it go on. For other apps, make a new key
          in Project Settings.
        </Notice>
      )}
      <Text size="s" tone="ink-3">
        The publishable key may ship in your app: it reads what is published in this one project, and nothing else.
        {!project.isPublished &&
          " Nothing is published yet, so apps show what they were built with until your first publish."}
      </Text>
      <Tabs value={chosen} onChange={setChosen} />
      <div
        className={look({ layout: "stack", gap: 8 })}
        id="snippet"
        role="tabpanel"
        aria-labelledby={`snippet-${chosen}`}
      >
        {install !== undefined && (
          <Code title="In a terminal" text={install} label="Copy the install command" copied="Command copied!" />
        )}
        <Code
          title={chosen === "html" ? "In your page" : chosen === "cli" ? "In a terminal" : "In your app"}
          text={code}
          label="Copy the code"
          copied="Code copied!"
        />
        <Text size="s">
          <a href={`${BASE}/docs/sdks/${PAGES[chosen]}.html`} target="_blank" rel="noopener">
            Documentation
          </a>
        </Text>
      </div>
    </Stack>
  );
}

function Value({ name, value, copied }: { name: string; value: string; copied: string }) {
  return (
    <Grid minH={42} align="center" gap={8}>
      <dt className={look({ size: "s" })}>{name}</dt>
      <dd className={look({ layout: "row", align: "center", justify: "between", gap: 8, tone: "ink", breaks: true })}>
        <span className="mono">{value}</span>
        <CopyButton value={value} label={`Copy ${name}`} copied={copied} />
      </dd>
    </Grid>
  );
}

type Tab = keyof typeof snippets;

const tabs: Record<Tab, string> = {
  react: "React",
  vue: "Vue",
  svelte: "Svelte",
  i18next: "i18next",
  js: "JavaScript",
  html: "Plain HTML",
  python: "Python",
  cli: "Command line",
};
/** Where the documentation of each is. */
const PAGES: Record<Tab, string> = {
  react: "typescript/react",
  vue: "typescript/vue",
  svelte: "typescript/svelte",
  i18next: "typescript/i18next",
  js: "typescript/client",
  html: "typescript/client",
  python: "python",
  cli: "typescript/cli",
};
const order: readonly Tab[] = ["react", "vue", "svelte", "i18next", "js", "html", "python", "cli"];

function Tabs({ value, onChange }: { value: Tab; onChange: (tab: Tab) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const step = event.key === "ArrowRight" ? 1 : -1;
    const next = order[(order.indexOf(value) + step + order.length) % order.length] ?? value;
    onChange(next);
    document.getElementById(`snippet-${next}`)?.focus();
  };
  return (
    <div
      className={look({ layout: "row", wrap: true, gapX: 18, lineBelow: true })}
      role="tablist"
      aria-label="Your app is written with"
      onKeyDown={onKeyDown}
    >
      {order.map((tab) => (
        <UnstyledButton
          key={tab}
          id={`snippet-${tab}`}
          role="tab"
          aria-selected={tab === value}
          aria-controls="snippet"
          tabIndex={tab === value ? 0 : -1}
          className={look({
            place: "relative",
            touch: true,
            size: "s",
            weight: 500,
            tone: "ink-2",
            px: 1,
            pt: 8,
            pb: 9,
            tab: true,
          })}
          onClick={() => onChange(tab)}
        >
          {tabs[tab]}
        </UnstyledButton>
      ))}
    </div>
  );
}

function Code({ title, text, label, copied }: { title: string; text: string; label: string; copied: string }) {
  return (
    <Box fill="sunken" border="line" radius="m" clip className={classes["code"]}>
      <Row
        align="center"
        justify="between"
        minH={34}
        lineBelow
        size="xs"
        weight={500}
        tone="ink-3"
        className={classes["codeHead"]}
      >
        <span>{title}</span>
        <CopyButton value={text} label={label} copied={copied} />
      </Row>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll sideways, which the keyboard can do only from inside. */}
      <pre className={look({ px: 14, py: 11, m: 0, tone: "ink" })} tabIndex={0}>
        <code>{text}</code>
      </pre>
    </Box>
  );
}
