/** What apps and servers read the project with: the publishable keys and the secret. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { CopyButton, copyText } from "@/ui/copy-button";
import { KeyBox } from "@/ui/key-box";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Panel } from "@/ui/page";
import { PanelRow, RowFact, RowText } from "@/ui/panel-row";
import { Box, Text } from "@/ui/parts";
import rows from "@/ui/rows.module.css";
import { FormerKey } from "./former-key";
import classes from "./keys-section.module.css";
import { publishableKeysQuery } from "./queries";
import { RotateKey } from "./rotate-key";
import { RotateSecret } from "./rotate-secret";

export function KeysSection({ project, connect }: { project: Project; connect: ReactNode }) {
  return (
    <Panel title="API access and secrets">
      <PanelRow>
        <RowText>How your app reads this project, with the code to paste and the keys filled in.</RowText>
        {connect}
      </PanelRow>
      <PanelRow>
        <RowFact isCode name="Project ID">
          {project.projectId}
        </RowFact>
        <CopyButton value={project.projectId} label="Copy project ID" copied="ID copied!" />
      </PanelRow>
      <PublishableKeys project={project} />
      <Secret project={project} />
    </Panel>
  );
}

function PublishableKeys({ project }: { project: Project }) {
  const { publishableKey: key } = project;
  return (
    <Box lineAbove className={classes["part"]}>
      <Heading title="Publishable key" actions={may(project, "manage") && <RotateKey project={project} />}>
        Ships in your apps. It reads what is published in this project, and nothing else.
      </Heading>
      {key === null ? (
        <Text p={16} size="s" tone="ink-2" className={rows["note"]}>
          This server can't show the key any more. Apps that have it go on. Rotate it to get a new key.
        </Text>
      ) : (
        <PanelRow>
          <code
            className={look(
              { shrink: true, px: 10, py: 8, fill: "sunken", border: "line", radius: "s", breaks: true, mono: true },
              rows["key"],
            )}
          >
            {key}
          </code>
          <Button size="xs" aria-label="Copy publishable key" onClick={() => void copyText(key, "Key copied!")}>
            Copy
          </Button>
        </PanelRow>
      )}
      {may(project, "manage") && <FormerKeys project={project} />}
    </Box>
  );
}

function FormerKeys({ project }: { project: Project }) {
  const { data, isError, error, refetch } = useQuery(publishableKeysQuery(project.projectId));
  const former = data?.filter((key) => !key.current) ?? [];
  if (data === undefined && isError) {
    return (
      <Box p={16}>
        <Notice
          tone="bad"
          action={
            <Button size="xs" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(error, "Failed to fetch the older keys.")}
        </Notice>
      </Box>
    );
  }
  if (former.length === 0) return null;
  return (
    <>
      <h4 className={look({ px: 16, pt: 12, lineAbove: true, size: "s", tone: "ink-2" })}>
        Older keys that still work
      </h4>
      <ul aria-label="Older publishable keys">
        {former.map((key) => (
          <FormerKey key={key._id} projectId={project.projectId} publishableKey={key} />
        ))}
      </ul>
    </>
  );
}

function Secret({ project }: { project: Project }) {
  const { projectSecret: secret } = project;
  const isManager = may(project, "manage");
  return (
    <Box lineAbove className={classes["part"]}>
      <Heading title="Project secret" actions={isManager && <RotateSecret project={project} />}>
        {isManager
          ? "For your servers, never for apps or web pages: it reads the draft, with everything that is not published yet."
          : "For servers: it reads the draft, with everything that is not published yet. Only admins and the owner can see it and make a new secret."}
      </Heading>
      {isManager &&
        (secret === null ? (
          <Text p={16} size="s" tone="ink-2" className={rows["note"]}>
            This server can't show the secret any more. Rotate it to get a new secret.
          </Text>
        ) : (
          <KeyBox value={secret} label="Show project secret">
            <Button
              size="xs"
              aria-label="Copy project secret"
              onClick={() => void copyText(secret, "Project secret copied!")}
            >
              Copy
            </Button>
          </KeyBox>
        ))}
    </Box>
  );
}

function Heading({ title, actions, children }: { title: string; actions: ReactNode; children: ReactNode }) {
  return (
    <PanelRow>
      <Box shrink breaks className={rows["text"]}>
        <h3 className={look({ size: "m", weight: 500 })}>{title}</h3>
        <Text size="s" tone="ink-2" className={rows["note"]}>
          {children}
        </Text>
      </Box>
      {actions}
    </PanelRow>
  );
}
