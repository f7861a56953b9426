import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import rows from "./rows.module.css";

/** A key that is hidden, but for its ends, until it is asked for. `label` is the name of the button that shows it. */
export function KeyBox({ value, label, children }: { value: string; label: string; children?: ReactNode }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={rows["row"]}>
      <code className={`mono ${rows["key"]}`}>
        {isShown ? value : `${value.slice(0, 4)}${"•".repeat(12)}${value.slice(-4)}`}
      </code>
      <div className={rows["actions"]}>
        <Button variant="subtle" size="xs" aria-pressed={isShown} aria-label={label} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </Button>
        {children}
      </div>
    </div>
  );
}
