/** The split page of everything before the dashboard: the brand panel, and a card with one task. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useDocumentTitle } from "@/lib/use-document-title";
import { LegalLinks } from "@/ui/legal-links";
import { Logo } from "@/ui/logo";
import { look } from "@/ui/look";
import { Box, Grid, Stack, Text } from "@/ui/parts";
import classes from "./auth-layout.module.css";
import { Tagline } from "./tagline";

export function AuthLayout({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <Grid className={classes["split"]}>
      <Stack
        as="section"
        justify="between"
        gap={24}
        place="relative"
        clip
        px={56}
        py={40}
        smallGap={14}
        smallMinH={150}
        className={classes["panel"]}
        aria-label="About Livery"
      >
        <Link
          to="/"
          className={look({ self: "start", radius: "s", plainLink: true })}
          aria-label="Livery, to the start"
        >
          <Logo inverted />
        </Link>
        <div>
          <Text balance className={classes["headline"]}>
            Repaint your app while it runs.
          </Text>
          <Box px={20} py={18} mt={28} hide="small" maxW={400} className={classes["demo"]} aria-hidden="true">
            <small className="mono">home.cta · published 0.2 s ago</small>
            <Text mt={4}>
              Book now, <mark className={look({ radius: "xs", tone: "inherit" })}>pay when you arrive</mark>
            </Text>
          </Box>
        </div>
        <Tagline />
      </Stack>
      <Stack as="main" gap={32} fill="surface" px={56} py={40} className={classes["form"]}>
        <Box full maxW={380} className={classes["card"]}>
          <h1>{title}</h1>
          {lead !== undefined && (
            <Text tone="ink-2" className={classes["lead"]}>
              {lead}
            </Text>
          )}
          {children}
        </Box>
        <LegalLinks />
      </Stack>
    </Grid>
  );
}

/** The quiet line under a form that leads elsewhere. */
export function AuthFootnote({ children }: { children: ReactNode }) {
  return (
    <Text mt={20} tone="ink-2" className={classes["footnote"]}>
      {children}
    </Text>
  );
}
