/** A text as the grid shows it: placeholders as chips, a web address as a link, the branches of a plural readable in both directions. */
import { isPlaceholder, isWebAddress, type Segment, segmentsOf } from "@/lib/messages";
import { IconExternalLink } from "@/ui/icons";
import { look } from "@/ui/look";
import { Text } from "@/ui/parts";
import classes from "./value-text.module.css";

/** `reachable` puts the link into the tab order: only that of the grid's current cell is. */
export function ValueText({ text, reachable }: { text: string; reachable: boolean }) {
  if (isWebAddress(text)) {
    return (
      <a
        className={look({ weight: 400, breaks: true }, classes["link"])}
        href={text}
        target="_blank"
        rel="noopener noreferrer"
        tabIndex={reachable ? 0 : -1}
        onClick={(event) => {
          // In a cell to write in, a plain click on the address is meant for the text; the arrow behind it opens the page.
          const { currentTarget, target, detail, ctrlKey, metaKey, shiftKey } = event;
          const isForText =
            detail > 0 &&
            !(ctrlKey || metaKey || shiftKey) &&
            currentTarget.closest('[role="gridcell"][aria-readonly="false"]') !== null &&
            !(target instanceof Element && target.closest("svg") !== null);
          if (isForText) event.preventDefault();
          else event.stopPropagation();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.stopPropagation();
        }}
      >
        {text}
        <IconExternalLink className={classes["open"]} size={15} aria-hidden="true" />
      </a>
    );
  }
  return segmentsOf(text).map((segment) =>
    isPlaceholder(segment) ? (
      <Text
        as="bdi"
        key={segment.at}
        dir="ltr"
        fill="sunken"
        border="line"
        radius="xs"
        size="note"
        code
        px={4}
        className={classes["chip"]}
        data-branching={segment.kind === "choice" || undefined}
      >
        <Syntax segment={segment} />
      </Text>
    ) : (
      segment.text
    ),
  );
}

interface Piece {
  at: number;
  text: string;
  isBranch: boolean;
}

/** An ICU plural or select cut into its syntax and the texts of its branches. */
function piecesOf(code: string): Piece[] {
  const pieces: Piece[] = [];
  let depth = 0;
  let from = 0;
  const cut = (to: number, isBranch: boolean) => {
    if (to > from) pieces.push({ at: from, text: code.slice(from, to), isBranch });
    from = to;
  };
  for (let at = 0; at < code.length; at += 1) {
    if (code[at] === "{") {
      depth += 1;
      if (depth === 2) cut(at + 1, false);
    } else if (code[at] === "}") {
      depth -= 1;
      if (depth === 1) cut(at, true);
    }
  }
  cut(code.length, false);
  return pieces;
}

/** Code reads from left to right, whatever the language; each branch is a text of its own, in the direction of its words. */
function Syntax({ segment }: { segment: Segment }) {
  if (segment.kind !== "choice") return segment.text;
  return piecesOf(segment.text).map(({ at, text, isBranch }) =>
    isBranch ? (
      <bdi key={at} dir="auto">
        {text}
      </bdi>
    ) : (
      <span key={at}>{text}</span>
    ),
  );
}
