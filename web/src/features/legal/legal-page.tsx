import type { ReactNode } from "react";
import { Link } from "react-router";
import { useDocumentTitle } from "@/lib/use-document-title";
import { LegalLinks } from "@/ui/legal-links";
import { Logo } from "@/ui/logo";
import { look } from "@/ui/look";
import { Box, Row, Stack } from "@/ui/parts";
import { ThemeToggle } from "@/ui/theme-toggle";
import classes from "./legal-page.module.css";

/** A page of text that anybody may read. */
export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <Stack gap={32} pb={24} fill="surface" className={classes["page"]}>
      <Row as="header" align="center" justify="between" px={24} lineBelow h={60} smallPx={16} smallPy={0}>
        <Link to="/" className={look({ plainLink: true })} aria-label="Livery, to the start">
          <Logo />
        </Link>
        <ThemeToggle />
      </Row>
      <Box as="main" grow full px={20} mt={0} mb={0} ms="auto" me="auto" tone="ink-2" className={classes["text"]}>
        <h1>{title}</h1>
        {children}
      </Box>
      <LegalLinks />
    </Stack>
  );
}
