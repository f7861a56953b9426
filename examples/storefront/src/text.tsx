import type { TextParams } from "@livery/client";
import { useLanguage, useText } from "@livery/react";
import { useState } from "react";

interface TextProps {
  /** `screen.key` in Livery. */
  id: string;
  values?: TextParams;
}

/** A text of the project. When a publish changes it while it is on screen, it flips in with a short highlight. */
export function Text({ id, values }: TextProps) {
  const { language } = useLanguage();
  const text = useText(id, values);

  // Another language or another value is the reader's own doing: only new words count as a change.
  const cause = JSON.stringify([language, id, values]);
  const [seen, setSeen] = useState({ text, cause, changes: 0 });
  if (seen.text !== text || seen.cause !== cause) {
    setSeen({ text, cause, changes: seen.cause === cause ? seen.changes + 1 : 0 });
  }

  return (
    <span key={seen.changes} className={seen.changes > 0 ? "text flip" : "text"} data-key={id}>
      <span>{text}</span>
    </span>
  );
}
