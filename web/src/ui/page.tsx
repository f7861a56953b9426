/** The frame of a page inside the shell: a header line with title and actions, and the content below it. */
import type { ReactNode } from "react";
import classes from "./page.module.css";

/**
 * 60 px line under the window's edge: where you are, and what you can do here. On small screens only screen readers get the title, since the
 * bar above shows it.
 */
export function PageHeader({ title, actions }: { title: string; actions?: ReactNode }) {
  return (
    <header className={classes["header"]}>
      <h1 className={classes["title"]} title={title}>
        {title}
      </h1>
      {actions !== undefined && actions !== false && <div className={classes["actions"]}>{actions}</div>}
    </header>
  );
}

/** Content with the page's margins. `width="narrow"` is for forms and reading. */
export function PageBody({ children, width = "full" }: { children: ReactNode; width?: "full" | "wide" | "narrow" }) {
  return (
    <div className={classes["body"]} data-width={width}>
      {children}
    </div>
  );
}

/** A surface with hairlines: what the page is about. */
export function Panel({ title, aside, children }: { title?: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes["panel"]} aria-label={title}>
      {title !== undefined && (
        <div className={classes["panelHead"]}>
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
