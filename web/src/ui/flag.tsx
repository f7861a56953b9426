import type { LanguageName } from "@/lib/languages";
import classes from "./flag.module.css";
import { Text } from "./parts";

/** The flag of a language's country; for a language without a country of its own its code. */
export function Flag({ language: { flag, code } }: { language: Pick<LanguageName, "flag" | "code"> }) {
  return (
    <Text
      as="span"
      rigid
      minW={22}
      {...(flag === "" ? { code: true, size: "xs", tone: "ink-3" } : {})}
      className={classes["flag"]}
      aria-hidden="true"
    >
      {flag || code.split("-")[0]}
    </Text>
  );
}
