/** A text as a cell shows it: at most six lines until one asks for all of it. */
import { UnstyledButton } from "@mantine/core";
import { useLayoutEffect, useRef, useState } from "react";
import type { LanguageName } from "@/lib/languages";
import { look } from "@/ui/look";
import { Box } from "@/ui/parts";
import { ValueText } from "./value-text";

/** Shorter texts fit six lines of the narrowest column: they need not be measured. */
const ALWAYS_FITS = 90;

/** `reachable` puts links and the button into the tab order: only those of the grid's current cell are. */
export function ClampedText({
  text,
  language,
  reachable,
}: {
  text: string;
  language: LanguageName;
  reachable: boolean;
}) {
  const block = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isCut, setCut] = useState(false);
  const mayBeCut = text.length > ALWAYS_FITS || text.split("\n").length > 6;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height.
  useLayoutEffect(() => {
    const element = block.current;
    if (!mayBeCut || isOpen || element === null) return;
    const measure = () => setCut(element.scrollHeight > element.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, mayBeCut, isOpen]);

  return (
    <>
      <Box
        ref={block}
        textAlign="start"
        space="pre-wrap"
        breaks
        clamp={mayBeCut && !isOpen ? 6 : undefined}
        dir={language.direction}
        lang={language.code}
      >
        <ValueText text={text} reachable={reachable} />
      </Box>
      {mayBeCut && isCut && (
        <UnstyledButton
          className={look({ mt: 2, touch: true, size: "xs", lineH: 20, tone: "ink-3", underline: true, darkens: true })}
          tabIndex={reachable ? 0 : -1}
          aria-expanded={isOpen}
          // A text that is being written elsewhere keeps the focus, and is not saved.
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => {
            // A click on the cell itself opens its editor.
            event.stopPropagation();
            setOpen(!isOpen);
          }}
        >
          {isOpen ? "Show less" : "Show all"}
        </UnstyledButton>
      )}
    </>
  );
}
