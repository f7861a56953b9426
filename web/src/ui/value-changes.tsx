/** How the values of an item change, field by field and language by language. */
import type { ItemChange } from "@/lib/diff";
import { textOf, typeOf } from "@/lib/field-types/known";
import type { LanguageName } from "@/lib/languages";
import { pictureOf } from "@/lib/picture";
import { wordDiff } from "@/lib/word-diff";
import { Words } from "./key-change";
import lines from "./key-change.module.css";
import { look } from "./look";
import { Stack, Text } from "./parts";
import { Thumbnail } from "./thumbnail";
import classes from "./value-changes.module.css";

type ValueChange = ItemChange["values"][number];

export function ValueChanges({
  values,
  languages,
  nameOf,
}: {
  values: readonly ValueChange[];
  /** In the project's order. */
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
}) {
  return inOrder(values, languages).map((value) => (
    <ValueLine
      key={`${value.field}/${value.language ?? ""}`}
      value={value}
      isLanguageShown={languages.length > 1}
      nameOf={nameOf}
    />
  ));
}

/** Fields as they come, the languages of each as in the project. */
function inOrder(values: readonly ValueChange[], languages: readonly string[]): ValueChange[] {
  const fields = [...new Set(values.map(({ field }) => field))];
  const rank = ({ language }: ValueChange) => {
    const at = languages.indexOf(language ?? "");
    return at === -1 ? languages.length : at;
  };
  return fields.flatMap((field) =>
    values.filter((value) => value.field === field).toSorted((a, b) => rank(a) - rank(b)),
  );
}

function ValueLine({
  value,
  isLanguageShown,
  nameOf,
}: {
  value: ValueChange;
  isLanguageShown: boolean;
  nameOf: (code: string) => LanguageName;
}) {
  const { field, language } = value;
  const [old, next] = [textOf(value.old, value), textOf(value.new, value)];
  const words = wordDiff(old, next, language ?? "en");
  const named = language === null ? undefined : nameOf(language);
  // The words of formatted text are shown without their tags.
  const isFormatting = typeOf(value).hasMarkup && old === next;
  return (
    <div className={`${lines["value"]} ${classes["value"]}`}>
      <Text as="span" rigid size="xs" tone="ink-3" ellipsis w={120} className={classes["field"]} title={field}>
        <bdi>{field}</bdi>
        {named !== undefined && isLanguageShown && <abbr title={named.name}> {named.code}</abbr>}
      </Text>
      <Stack
        gap={2}
        grow
        shrink
        textAlign="start"
        space="pre-wrap"
        breaks
        className={lines["texts"]}
        {...(named === undefined ? {} : { dir: named.direction, lang: named.code })}
      >
        {old !== "" && !isFormatting && (
          <del>
            <Picture change={value} of={value.old} />
            <Words pieces={words.before} />
          </del>
        )}
        {next !== "" && (
          <ins>
            <Picture change={value} of={value.new} />
            <Words pieces={words.after} />
          </ins>
        )}
        {isFormatting && (
          <span className={look({ size: "s", tone: "ink-3" })} dir="ltr" lang="en">
            Only its formatting is changed.
          </span>
        )}
      </Stack>
    </div>
  );
}

function Picture({ change, of }: { change: ValueChange; of: unknown }) {
  const src = typeOf(change).isPicture ? pictureOf(of, 64) : null;
  return src === null ? null : (
    <Text as="span" me={8} tone="ink-3" className={classes["picture"]}>
      <Thumbnail src={src} size={28} />
    </Text>
  );
}
