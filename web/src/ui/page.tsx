/** The frame of a page inside the shell: a header line with title and actions, and the content below it. */
import type { ReactNode } from "react";
import classes from "./page.module.css";
import { Box, Heading, Row } from "./parts";

/**
 * 60 px line under the window's edge: where you are, and what you can do here. On small screens only screen readers get the title, since the
 * bar above shows it.
 */
export function PageHeader({ title, actions }: { title: string; actions?: ReactNode }) {
  return (
    <Row
      as="header"
      wrap
      align="center"
      gap={8}
      gapX={12}
      px={24}
      py={10}
      minH={60}
      fill="surface"
      lineBelow
      smallPx={16}
      smallPy={10}
      smallMinH={56}
      className={classes["header"]}
    >
      <Heading
        as="h1"
        shrink
        size="lead"
        leading={140}
        truncate
        spokenAt="small"
        className={classes["title"]}
        title={title}
      >
        {title}
      </Heading>
      {actions !== undefined && actions !== false && (
        <Row wrap align="center" gap={8} className={classes["actions"]}>
          {actions}
        </Row>
      )}
    </Row>
  );
}

/** Content with the page's margins. `width="narrow"` is for forms and reading. */
export function PageBody({ children, width = "full" }: { children: ReactNode; width?: "full" | "wide" | "narrow" }) {
  return (
    <Box p={24} className={classes["body"]} data-width={width}>
      {children}
    </Box>
  );
}

/** A surface with hairlines: what the page is about. */
export function Panel({ title, aside, children }: { title?: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Box as="section" surface clip aria-label={title}>
      {title !== undefined && (
        <Row align="center" justify="between" gap={12} px={16} py={8} minH={44} lineBelow>
          <Heading size="s">{title}</Heading>
          {aside}
        </Row>
      )}
      {children}
    </Box>
  );
}
