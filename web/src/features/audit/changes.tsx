/** What an act changed: each value as it was and as it is, with the words that differ. */
import { formatMoment } from "@/lib/time";
import { wordDiff } from "@/lib/word-diff";
import { Words } from "@/ui/key-change";
import lines from "@/ui/key-change.module.css";
import { Box, Grid, Stack, Text } from "@/ui/parts";
import classes from "./audit.module.css";
import type { Entry } from "./queries";

const MOMENTS = new Set(["until", "publishAt"]);
/** Acts whose values are named by people: by languages, or by the fields of a store. */
const NAMED_BY_PEOPLE = /^(screens\.|stores\.item|ai\.(key|item)_)/;

export function Changes({ entry, id }: { entry: Entry; id: string }) {
  const { before, after, code, isCut } = entry;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <Box id={id} px={16} pb={14} smallPx={12} smallPt={0} smallPb={12}>
      <dl>
        {names.map((name) => {
          const [old, next] = [shown(name, before?.[name]), shown(name, after?.[name])];
          const words = wordDiff(old, next, "en");
          return (
            <Grid key={name} pt={6} size="s" lineH={21} gap={4} gapX={14} smallGap={0} className={classes["change"]}>
              <Text as="dt" shrink size="xs" lineH={21} tone="ink-3" breaks>
                <bdi>{NAMED_BY_PEOPLE.test(code) ? name : labelOf(name)}</bdi>
              </Text>
              <Stack
                as="dd"
                gap={2}
                grow
                shrink
                textAlign="start"
                space="pre-wrap"
                breaks
                className={lines["texts"]}
                dir="auto"
              >
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
              </Stack>
            </Grid>
          );
        })}
      </dl>
      {isCut && (
        <Text size="s" tone="ink-2" className={classes["note"]}>
          The log keeps a part of long values: “…” marks what is left out.
        </Text>
      )}
    </Box>
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
