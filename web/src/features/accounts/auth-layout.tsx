/** The split page of everything before the dashboard: the brand panel, and a card with one task. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useDocumentTitle } from "@/lib/use-document-title";
import { LegalLinks } from "@/ui/legal-links";
import { Logo } from "@/ui/logo";
import classes from "./auth-layout.module.css";
import { Tagline } from "./tagline";

export function AuthLayout({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <div className={classes["split"]}>
      <section className={classes["panel"]} aria-label="About Livery">
        <Link to="/" className={classes["home"]} aria-label="Livery, to the start">
          <Logo inverted />
        </Link>
        <div className={classes["pitch"]}>
          <p className={classes["headline"]}>Repaint your app while it runs.</p>
          <div className={classes["demo"]} aria-hidden="true">
            <small className="mono">home.cta · published 0.2 s ago</small>
            <p>
              Book now, <mark>pay when you arrive</mark>
            </p>
          </div>
        </div>
        <Tagline />
      </section>
      <main className={classes["form"]}>
        <div className={classes["card"]}>
          <h1>{title}</h1>
          {lead !== undefined && <p className={classes["lead"]}>{lead}</p>}
          {children}
        </div>
        <LegalLinks />
      </main>
    </div>
  );
}

/** The quiet line under a form that leads elsewhere. */
export function AuthFootnote({ children }: { children: ReactNode }) {
  return <p className={classes["footnote"]}>{children}</p>;
}
