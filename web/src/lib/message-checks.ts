/**
 * What may be wrong with a message: a plural that apps can't read, plural forms that its language needs, placeholders of a translation.
 * The server checks the same (livery/content/text_checks.py); sdks/spec/messages.json holds both to it.
 */
import { hasKnownStyle, isTyped, type TypedArgument } from "@sdk/styles";
import { MESSAGE_FORMS } from "./limits.gen";
import { type Argument, type Choice, HASH, type Part, parseMessage, type Segment, segmentsOfParts } from "./messages";

const list = new Intl.ListFormat("en", { type: "conjunction" });
const PLURAL_FORMS: ReadonlySet<string> = new Set(["zero", "one", "two", "few", "many", "other"]);
const UNCLOSED = "A “{” is never closed.";
const PLAIN_TAG = /^<\/?[A-Za-z0-9_-]+>$/;

const DATE_STYLES = "“short”, “medium”, “long” or “full”";
const KNOWN_STYLES = {
  number: "“integer”, “percent”, “::currency/EUR” or “::.00”",
  date: DATE_STYLES,
  time: DATE_STYLES,
};
const isChoice = (part: Part): part is Choice => typeof part === "object" && part.kind !== "argument";

/** What is wrong with the plurals and selects of a text, in a sentence; null when nothing is. `forms` are those of its language. */
export function pluralWarning(text: string, forms: readonly string[], language: string): string | null {
  let parts: readonly Part[];
  try {
    parts = parseMessage(text);
  } catch (error) {
    if (error instanceof Error) return sentenceOf(error);
    throw error;
  }
  const missing = new Set<string>();
  const choices = choicesOf(parts);
  for (const { kind, branches } of choices) {
    if (kind === "select") continue;
    const unknown = [...branches.keys()].find((selector) => !selector.startsWith("=") && !PLURAL_FORMS.has(selector));
    if (unknown !== undefined) return `“${unknown}” is no plural form.`;
    if (kind === "plural") for (const form of forms) if (!branches.has(form)) missing.add(form);
  }
  const unknown = typedIn(parts).find((part) => !hasKnownStyle(part));
  if (unknown) return `“${unknown.style}” is no style of a ${unknown.type}. Use ${KNOWN_STYLES[unknown.type]}.`;
  if (missing.size === 0) return null;
  return `${language} plurals also need ${list.format([...missing].map((form) => `“${form}”`))}.`;
}

function sentenceOf({ message }: Error): string {
  const [reason, kind, name, ...rest] = message.split(" ");
  const selector = rest.join("").trim();
  const choice = `${kind} of ${name}`;
  switch (reason) {
    case "branch":
      return selector === "" ? UNCLOSED : `The ${choice} has a branch without braces.`;
    case "twice":
      return `The ${choice} has “${selector}” twice.`;
    case "other":
      return `The ${choice} lacks “other”.`;
    case "brace":
      return "A “{” inside a plural or select opens no placeholder.";
    default:
      return "Its plurals and selects are nested too deeply.";
  }
}

function choicesOf(parts: readonly Part[]): Choice[] {
  return parts
    .filter(isChoice)
    .flatMap((choice) => [...[...choice.branches.values()].flatMap((branch) => choicesOf(branch)), choice]);
}

/** The arguments with a type, in the order of the text. */
function typedIn(parts: readonly Part[]): TypedArgument[] {
  return parts.flatMap((part) => {
    if (isTyped(part)) return [part];
    return isChoice(part) ? [...part.branches.values()].flatMap(typedIn) : [];
  });
}

/** The selectors on the way to a branch, by the source of each choice: `{n, plural}`. */
type Form = ReadonlyMap<string, string>;
type Counts = Map<string, number>;

/**
 * What is wrong with a translation's placeholders, in a sentence; null when each of its forms has those of the source.
 * Each form is compared with the same form of the source, or with its form `other`. `#` may be missing.
 * A malformed text has no placeholders, so nothing is compared with it: see {@link pluralWarning}.
 */
export function placeholderWarning(source: string, target: string, sourceLanguage: string): string | null {
  if (source === "" || target === "") return null;
  let wanted: Level;
  let given: Level;
  try {
    [wanted, given] = [levelOf(parseMessage(source)), levelOf(parseMessage(target))];
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
  const known: Counts = new Map();
  for (const form of formsOf(wanted)) {
    for (const [name, count] of placeholdersIn(wanted, form)) known.set(name, Math.max(count, known.get(name) ?? 0));
  }
  const [selectors, forms] = [selectorsOf(wanted), formsOf(given)];
  const hasNames = new Set(forms.flatMap((form) => [...form.keys()].map(nameOf))).size > 1;
  const [missing, extra] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const form of forms) {
    const [expected, found] = [placeholdersIn(wanted, form), placeholdersIn(given, form)];
    const label = `“${[...form].map(([key, selector]) => (hasNames ? `${nameOf(key)}: ${selector}` : selector)).join(", ")}”`;
    // A plural form that the source lacks is its `other`; an exact number that the source lacks (`=0`) may leave placeholders out.
    const hasForm = [...form].every(
      ([key, selector]) => !selector.startsWith("=") || selectors.has(`${key} ${selector}`),
    );
    if (hasForm) note(missing, more(expected, found), label);
    note(extra, more(found, known), label);
  }
  const sentences = [
    ...groupsOf(missing, forms.length).map(([noun, are, where]) => `${noun} ${are} missing ${where || "here"}.`),
    ...groupsOf(extra, forms.length).map(
      ([noun, are, where]) => `${noun}${where && ` ${where}`} ${are} not in the ${sourceLanguage} text.`,
    ),
  ];
  return sentences.length === 0 ? null : sentences.join(" ");
}

/** What must be the same of an argument or a choice in every language. The style of a date is not: languages may need different styles. */
function keyOf(part: Argument | Choice): string {
  if (isChoice(part)) return `{${part.name}, ${part.kind}}`;
  if (!part.type) return part.source.replace(/\s+/g, "");
  const essence = `{${part.name}, ${part.type}}`;
  return part.source.startsWith("{{") ? `{${essence}}` : essence;
}
const nameOf = (key: string): string => key.slice(1, key.indexOf(","));

/** The placeholders on one level of a message, and the levels of each branch of its choices. */
interface Level {
  readonly counts: Counts;
  readonly choices: readonly (readonly [key: string, branches: ReadonlyMap<string, Level>])[];
}

/** In the branches of a plural its own argument is left out, because `#` shows the same number. */
function levelOf(parts: readonly Part[], plurals: readonly string[] = []): Level {
  const counts: Counts = new Map();
  const choices: [string, ReadonlyMap<string, Level>][] = [];
  for (const segment of segmentsOfParts(parts)) {
    if (segment.kind === "format" || segment.kind === "tag") add(counts, essenceOf(segment));
    for (const part of segment.parts) {
      if (typeof part === "string" || part === HASH) continue;
      if (!isChoice(part)) {
        if (!plurals.includes(part.name)) add(counts, keyOf(part));
        continue;
      }
      add(counts, keyOf(part));
      const inner = part.kind === "select" ? plurals : [...plurals, part.name];
      choices.push([
        keyOf(part),
        new Map([...part.branches].map(([selector, branch]) => [selector, levelOf(branch, inner)])),
      ]);
    }
  }
  return { counts, choices };
}

function add(counts: Counts, name: string, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Each form of a message, once: one branch of a choice, with `other` of the choices beside it. A text without choices has one form. */
function formsOf({ choices }: Level): Form[] {
  const forms: Form[] = [];
  for (const [key, branches] of choices) {
    for (const [selector, branch] of branches) {
      for (const inner of formsOf(branch)) forms.push(new Map([[key, selector], ...inner]));
    }
  }
  const unique = new Map(forms.slice(0, MESSAGE_FORMS).map((form) => [JSON.stringify([...form]), form]));
  return unique.size === 0 ? [new Map()] : [...unique.values()];
}

/** Each choice of a message with each of its selectors: `{n, plural} one`. */
function selectorsOf({ choices }: Level): Set<string> {
  const found = new Set<string>();
  for (const [key, branches] of choices) {
    for (const [selector, branch] of branches) {
      found.add(`${key} ${selector}`);
      for (const inner of selectorsOf(branch)) found.add(inner);
    }
  }
  return found;
}

/** The placeholders of one form. */
function placeholdersIn({ counts, choices }: Level, form: Form): Counts {
  const found = new Map(counts);
  for (const [key, branches] of choices) {
    const branch = branches.get(form.get(key) ?? "other") ?? branches.get("other");
    if (branch === undefined) continue;
    for (const [name, count] of placeholdersIn(branch, form)) add(found, name, count);
  }
  return found;
}

/** What must be the same of a tag or a format in every language: of a tag its name. */
function essenceOf({ text }: Segment): string {
  const tag = /^<(\/?[A-Za-z][A-Za-z0-9_-]*)/.exec(text);
  return tag === null ? text : `<${tag[1]}>`;
}

const more = (a: Counts, b: Counts): string[] =>
  [...a].filter(([name, count]) => count > (b.get(name) ?? 0)).map(([name]) => name);

function note(problems: Map<string, string[]>, names: readonly string[], label: string): void {
  for (const name of names) problems.set(name, [...(problems.get(name) ?? []), label]);
}

/** Names with the same forms: 'Placeholders {a} and {b}', 'are', 'in the form “few”'. */
function groupsOf(problems: ReadonlyMap<string, readonly string[]>, count: number): [string, string, string][] {
  const groups = new Map<string, string[]>();
  for (const [name, labels] of problems) {
    const where = placeOf(labels, count);
    groups.set(where, [...(groups.get(where) ?? []), name]);
  }
  return [...groups].map(([where, names]) => {
    const noun = names.every((name) => PLAIN_TAG.test(name)) ? "Tag" : "Placeholder";
    const [plural, are] = names.length === 1 ? ["", "is"] : ["s", "are"];
    return [`${noun}${plural} ${list.format(names)}`, are, where];
  });
}

function placeOf(labels: readonly string[], count: number): string {
  if (count === 1) return "";
  if (labels.length === count) return "in every form";
  return `in the form${labels.length === 1 ? "" : "s"} ${list.format(labels)}`;
}
