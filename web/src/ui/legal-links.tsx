import type { ReactNode } from "react";
import { BASE } from "@/lib/base";
import { look } from "./look";
import { Row } from "./parts";

export function LegalLinks() {
  return (
    <Row as="footer" justify="center" gap={16} size="note" tone="ink-3">
      <span>© {new Date().getFullYear()} Livery</span>
      <LegalLink to="/terms" isQuiet>
        Terms
      </LegalLink>
      <LegalLink to="/privacy" isQuiet>
        Privacy
      </LegalLink>
    </Row>
  );
}

/** In a tab of its own, so that a half-filled form stays; asked of the server, since its operator may have pages elsewhere. */
export function LegalLink({
  to,
  isQuiet = false,
  children,
}: {
  to: "/terms" | "/privacy";
  isQuiet?: boolean;
  children: ReactNode;
}) {
  return (
    <a className={isQuiet ? look({ tone: "inherit" }) : undefined} href={BASE + to} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
