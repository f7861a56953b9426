/** The textarea in a cell: as tall as its text up to a part of the window, saved when it is left, reverted by Escape. */
import { Button } from "@mantine/core";
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { LanguageName } from "@/lib/languages";
import { TEXT_CHARACTERS } from "@/lib/limits.gen";
import { focusInPlace } from "@/ui/focus";
import { look } from "@/ui/look";
import { Grid, Row, Text } from "@/ui/parts";
import type { CellKeys } from "./ai-parts";
import classes from "./cell-editor.module.css";

export type Leave = "enter" | "escape" | "blur" | "tab" | "shift-tab";

/** In characters, as the server counts: an emoji is one character, though it takes the place of two. */
const lengthOf = (text: string) => (text.length > TEXT_CHARACTERS ? [...text].length : text.length);

/** Whether the window lost the focus while the field kept its own, or a dialog (the search) was opened over the text. */
function isFocusBorrowed({ target, relatedTarget }: FocusEvent): boolean {
  return (
    target === document.activeElement ||
    (relatedTarget instanceof Element && relatedTarget.closest('[aria-modal="true"]') !== null)
  );
}

/** The open text, for tools that stand below it. */
export interface OpenText {
  text: string;
  /** Puts another text in its place, as if it had been typed. */
  use: (text: string) => void;
  /** Saves and leaves. False when the text is too long to be saved: it stays open then. */
  save: () => boolean;
  keys: Ref<CellKeys>;
}

export function CellEditor({
  initial,
  isSelected,
  language,
  label,
  warningFor,
  note,
  tools: toolsFor,
  onTyped,
  onCommit,
  onLeave,
}: {
  initial: string;
  /** Whether the first character takes the place of the text. Fixed while the editor is open. */
  isSelected: boolean;
  language: LanguageName;
  label: string;
  /** Returns the warning to show under a text, or null. */
  warningFor: (text: string) => string | null;
  /** Draws other notes below the text; a note may give the text up, as Escape does. */
  note: (giveUp: () => void) => ReactNode;
  /** Buttons beside those of the editor. */
  tools: (open: OpenText) => ReactNode;
  /** With each change: to keep the text safe. */
  onTyped: (text: string) => void;
  /** The finished text. Called at most once; also when the page or the row goes away. */
  onCommit: (text: string) => void;
  /** After the text was committed or, by Escape, given up. */
  onLeave: (how: Leave) => void;
}) {
  const [text, setText] = useState(initial);
  const field = useRef<HTMLTextAreaElement>(null);
  const startsSelected = useRef(isSelected);
  const tools = useRef<HTMLDivElement>(null);
  const keys = useRef<CellKeys>(null);
  const latest = useRef({ text, isOpen: true, onCommit });
  latest.current.text = text;
  latest.current.onCommit = onCommit;

  useEffect(() => {
    const mine = latest.current;
    mine.isOpen = true;
    const element = field.current;
    focusInPlace(element);
    element?.setSelectionRange(startsSelected.current ? 0 : element.value.length, element.value.length);
    const commit = () => {
      if (mine.isOpen) mine.onCommit(mine.text);
    };
    window.addEventListener("pagehide", commit);
    return () => {
      window.removeEventListener("pagehide", commit);
      commit();
    };
  }, []);

  // The buttons first: when both don't fit, what is being written is worth more, and comes last.
  const reveal = useCallback(() => {
    tools.current?.scrollIntoView({ block: "nearest" });
    field.current?.scrollIntoView({ block: "nearest" });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor grows with its text.
  useLayoutEffect(reveal, [text]);
  // The tools grow by themselves: AI proposes something below their buttons.
  useEffect(() => {
    const observer = new ResizeObserver(reveal);
    if (tools.current !== null) observer.observe(tools.current);
    return () => observer.disconnect();
  }, [reveal]);

  const length = lengthOf(text);
  const tooLong = length > TEXT_CHARACTERS;

  const leave = (how: Leave): boolean => {
    if (!latest.current.isOpen) return true;
    if (tooLong && how !== "escape") return false;
    latest.current.isOpen = false;
    if (how !== "escape") onCommit(text);
    onLeave(how);
    return true;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes a character, Enter and Escape are its own.
    if (event.nativeEvent.isComposing) return;
    if (keys.current?.take(event) === true) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      leave("enter");
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      // The shortcut of publishing: the text is saved, and the cell has the focus when the review closes.
      leave("enter");
    } else if (event.key === "Escape") {
      event.preventDefault();
      leave("escape");
    } else if (event.key === "Tab") {
      event.preventDefault();
      leave(event.shiftKey ? "shift-tab" : "tab");
    }
  };

  const change = (next: string) => {
    setText(next);
    onTyped(next);
  };

  // Buttons that take the focus would save by blurring first.
  const keepFocus = { onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault() };
  const warning = warningFor(text);
  return (
    <>
      <Grid className={classes["grow"]} data-text={`${text} `} dir={language.direction} lang={language.code}>
        <textarea
          ref={field}
          className={look({ layout: "block", fill: "none", tone: "inherit", breaks: true }, classes["field"])}
          value={text}
          rows={1}
          dir={language.direction}
          lang={language.code}
          aria-label={label}
          aria-describedby="editor-help"
          aria-invalid={tooLong || undefined}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={(event) => {
            if (!isFocusBorrowed(event)) leave("blur");
          }}
        />
      </Grid>
      {warning !== null && (
        <Text mt={6} size="note" leading={140} tone="warn">
          {warning}
        </Text>
      )}
      {note(() => leave("escape"))}
      <Row
        ref={tools}
        wrap
        align="center"
        gap={4}
        place="absolute"
        fill="raised"
        minH={38}
        className={classes["tools"]}
        dir="ltr"
        {...keepFocus}
      >
        <Button size="xs" tabIndex={-1} {...keepFocus} onClick={() => leave("enter")}>
          Save
        </Button>
        <Button size="xs" variant="subtle" tabIndex={-1} {...keepFocus} onClick={() => leave("escape")}>
          Revert
        </Button>
        {toolsFor({ text, use: change, save: () => leave("enter"), keys })}
        {tooLong ? (
          <small className={look({ tone: "ink-3", textAlign: "end", ms: 2 }, classes["tooLong"])} role="alert">
            Too long to be saved: {length.toLocaleString("en")} of at most {TEXT_CHARACTERS.toLocaleString("en")}{" "}
            characters
          </small>
        ) : (
          <Text ms={2} as="small" tone="ink-3" textAlign="end" id="editor-help">
            Enter saves · Esc reverts · Tab next missing
          </Text>
        )}
      </Row>
    </>
  );
}
