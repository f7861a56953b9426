import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { look } from "./look";
import { Row } from "./parts";
import rows from "./rows.module.css";

/** A key that is hidden, but for its ends, until it is asked for. `label` is the name of the button that shows it. */
export function KeyBox({ value, label, children }: { value: string; label: string; children?: ReactNode }) {
  const [isShown, setShown] = useState(false);
  return (
    <Row align="center" justify="between" gap={8} gapX={16} className={rows["row"]}>
      <code
        className={look(
          { shrink: true, px: 10, py: 8, fill: "sunken", border: "line", radius: "s", breaks: true, mono: true },
          rows["key"],
        )}
      >
        {isShown ? value : `${value.slice(0, 4)}${"•".repeat(12)}${value.slice(-4)}`}
      </code>
      <Row wrap align="center" gap={8}>
        <Button variant="subtle" size="xs" aria-pressed={isShown} aria-label={label} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </Button>
        {children}
      </Row>
    </Row>
  );
}
