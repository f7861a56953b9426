/** What an act changed: each value as it was and as it is, with the words that differ. */
import { formatMoment } from "@/lib/time";
import { wordDiff } from "@/lib/word-diff";
import { Words } from "@/ui/key-change";
import lines from "@/ui/key-change.module.css";
import classes from "./audit.module.css";
import type { Entry } from "./queries";

const MOMENTS = new Set(["until", "publishAt"]);
/** Acts whose values are named by people: by languages, or by the fields of a store. */
const NAMED_BY_PEOPLE = /^(screens\.|stores\.item|ai\.(key|item)_)/;

export function Changes({ entry, id }: { entry: Entry; id: string }) {
  const { before, after, code, isCut } = entry;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <div id={id} className={classes["changes"]}>
      <dl>
        {names.map((name) => {
          const [old, next] = [shown(name, before?.[name]), shown(name, after?.[name])];
          const words = wordDiff(old, next, "en");
          return (
            <div key={name} className={classes["change"]}>
              <dt>
                <bdi>{NAMED_BY_PEOPLE.test(code) ? name : labelOf(name)}</bdi>
              </dt>
              <dd className={lines["texts"]} dir="auto">
                {old !== "" && (
                  <del>
                    <Words pieces={words.before} />
                  </del>
                )}
                {next !== "" && (
                  <ins>
                    <Words pieces={words.after} />
                  </ins>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      {isCut && <p className={classes["note"]}>The log keeps a part of long values: “…” marks what is left out.</p>}
    </div>
  );
}

/** 'Default language' for `defaultLanguage`. */
function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shown(name: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string")
    return MOMENTS.has(name) && !Number.isNaN(Date.parse(value)) ? formatMoment(value) : value;
  if (Array.isArray(value)) return value.map((one) => shown("", one)).join("\n");
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}
