import type { ReactNode } from "react";
import classes from "./legal-links.module.css";

export function LegalLinks() {
  return (
    <footer className={classes["foot"]}>
      <span>© {new Date().getFullYear()} Livery</span>
      <LegalLink to="/terms">Terms</LegalLink>
      <LegalLink to="/privacy">Privacy</LegalLink>
    </footer>
  );
}

/** In a tab of its own, so that a half-filled form stays; asked of the server, since its operator may have pages elsewhere. */
export function LegalLink({ to, children }: { to: "/terms" | "/privacy"; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
