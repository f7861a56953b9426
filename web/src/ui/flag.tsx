import type { LanguageName } from "@/lib/languages";
import classes from "./flag.module.css";

/** The flag of a language's country; for a language without a country of its own its code. */
export function Flag({ language: { flag, code } }: { language: Pick<LanguageName, "flag" | "code"> }) {
  return (
    <span className={classes["flag"]} data-is-code={flag === "" || undefined} aria-hidden="true">
      {flag || code.split("-")[0]}
    </span>
  );
}
