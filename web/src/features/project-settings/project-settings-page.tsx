/** /projects/{projectId}/settings: what a project uses, is called, speaks, who works in it, its keys and tokens, and its end. */
import { type ComponentType, type ReactNode, useEffect } from "react";
import { Link, useLocation } from "react-router";
import type { Project } from "@/lib/api-types";
import { may, useProject } from "@/lib/project";
import { BackLink } from "@/ui/back-link";
import { focusInPlace } from "@/ui/focus";
import { look } from "@/ui/look";
import { PageBody } from "@/ui/page";
import { Box, Grid, Heading, Stack } from "@/ui/parts";
import { AuditSection } from "./audit-section";
import { DangerZone } from "./danger-zone";
import { ExportSection } from "./export-section";
import { GeneralSection } from "./general-section";
import { KeysSection } from "./keys-section";
import { LanguagesSection } from "./languages-section";
import { MembersSection } from "./members-section";
import classes from "./project-settings.module.css";
import { TokensSection } from "./tokens-section";
import { TransferOffer } from "./transfer-offer";
import { UsageSection } from "./usage-section";

const titles = {
  usage: "Usage and plan limits",
  general: "General information",
  languages: "Languages",
  members: "Team members",
  keys: "API access and secrets",
  tokens: "Project tokens",
  export: "Export",
  audit: "Audit log",
  danger: "Danger zone",
} as const;

type SectionId = keyof typeof titles;

export function ProjectSettingsPage({ ConnectButton }: { ConnectButton: ComponentType<{ project: Project }> }) {
  const { project, openActivation } = useProject();
  useSectionOfAddress();
  const sections = Object.entries(titles).filter(([id]) => id !== "tokens" || may(project, "manage"));
  return (
    <PageBody>
      <Grid align="start" gap={40} className={classes["layout"]}>
        <Stack gap={24}>
          <BackLink to={`/projects/${project.projectId}/general`} tone="ink-2" self="start" smallMinH={24}>
            Back to Content - General
          </BackLink>
          <TransferOffer project={project} />
          <Section id="usage">
            <UsageSection project={project} openActivation={() => openActivation()} />
          </Section>
          <Section id="general">
            <GeneralSection project={project} />
          </Section>
          <Section id="languages">
            <LanguagesSection project={project} />
          </Section>
          <Section id="members">
            <MembersSection />
          </Section>
          <Section id="keys">
            <KeysSection project={project} connect={<ConnectButton project={project} />} />
          </Section>
          {may(project, "manage") && (
            <Section id="tokens">
              <TokensSection project={project} />
            </Section>
          )}
          <Section id="export">
            <ExportSection project={project} />
          </Section>
          <Section id="audit">
            <AuditSection project={project} />
          </Section>
          <Section id="danger">
            <DangerZone project={project} />
          </Section>
        </Stack>
        <Box as="nav" place="sticky" size="s" className={classes["index"]} aria-labelledby="on-this-page">
          <Heading mb={6} size="xs" tone="ink-3" id="on-this-page">
            On this page
          </Heading>
          {sections.map(([id, title]) => (
            <Link className={look({ layout: "block", py: 4, tone: "ink-2", darkens: true })} key={id} to={`#${id}`}>
              {title}
            </Link>
          ))}
        </Box>
      </Grid>
    </PageBody>
  );
}

function Section({ id, children }: { id: SectionId; children: ReactNode }) {
  return (
    <div id={id} tabIndex={-1} className={classes["section"]}>
      {children}
    </div>
  );
}

/** Shows the section that the address names, and goes on from there with Tab. */
function useSectionOfAddress() {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second click on the same link leads there again.
  useEffect(() => {
    const section = hash === "" ? null : document.getElementById(hash.slice(1));
    section?.scrollIntoView({ block: "start" });
    focusInPlace(section);
  }, [hash, key]);
}
