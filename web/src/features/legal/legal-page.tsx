import type { ReactNode } from "react";
import { Link } from "react-router";
import { useDocumentTitle } from "@/lib/use-document-title";
import { LegalLinks } from "@/ui/legal-links";
import { Logo } from "@/ui/logo";
import { ThemeToggle } from "@/ui/theme-toggle";
import classes from "./legal-page.module.css";

/** A page of text that anybody may read. */
export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <div className={classes["page"]}>
      <header className={classes["top"]}>
        <Link to="/" aria-label="Livery, to the start">
          <Logo />
        </Link>
        <ThemeToggle />
      </header>
      <main className={classes["text"]}>
        <h1>{title}</h1>
        {children}
      </main>
      <LegalLinks />
    </div>
  );
}
