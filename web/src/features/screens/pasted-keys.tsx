/** Adds pasted keys one after the other, shows how far it is, and lists what could not be added. */
import { Button, Progress } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import classes from "./add-key-row.module.css";
import type { KeyLine } from "./key-lines";
import type { KeyRecord } from "./queries";

interface Failure extends KeyLine {
  message: string;
}

export function PastedKeys({
  lines,
  add,
  onAdded,
  onClose,
}: {
  lines: readonly KeyLine[];
  add: (line: KeyLine) => Promise<KeyRecord>;
  onAdded: (record: KeyRecord) => void;
  onClose: () => void;
}) {
  const [done, setDone] = useState(0);
  const [failures, setFailures] = useState<Failure[]>([]);
  const [phase, setPhase] = useState<"asking" | "adding" | "over">("asking");
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );

  const run = async () => {
    isStopped.current = false;
    setPhase("adding");
    const failed: Failure[] = [];
    for (const [index, line] of lines.entries()) {
      if (isStopped.current) break;
      try {
        onAdded(await add(line));
      } catch (error) {
        failed.push({ ...line, message: error instanceof Error ? error.message : "Failed to add key" });
        setFailures([...failed]);
      }
      setDone(index + 1);
    }
    if (failed.length === 0 && !isStopped.current) onClose();
    else setPhase("over");
  };

  const count = lines.length.toLocaleString("en");
  const added = done - failures.length;
  return (
    <fieldset className={classes["pasted"]} aria-label="Pasted keys">
      {phase === "asking" && (
        <>
          <span>
            Add {count} pasted {lines.length === 1 ? "key" : "keys"}? The first is{" "}
            <code className="mono">{lines[0]?.name}</code>.
          </span>
          <span>
            <Button variant="subtle" onClick={onClose}>
              Cancel
            </Button>{" "}
            <Button variant="filled" autoFocus onClick={() => void run()}>
              Add {count} {lines.length === 1 ? "key" : "keys"}
            </Button>
          </span>
        </>
      )}
      {phase === "adding" && (
        <>
          <span role="status" className="num">
            Adding {done.toLocaleString("en")} of {count}…
          </span>
          <Button
            onClick={() => {
              isStopped.current = true;
            }}
          >
            Stop
          </Button>
          <Progress value={(done / lines.length) * 100} size={5} radius="xl" aria-label="Adding keys" />
        </>
      )}
      {phase === "over" && (
        <>
          <span role="status" className="num">
            {added.toLocaleString("en")} of {count} {lines.length === 1 ? "key" : "keys"} added.
            {failures.length > 0 && ` ${failures.length.toLocaleString("en")} could not be added:`}
          </span>
          <Button autoFocus onClick={onClose}>
            Close
          </Button>
          {failures.length > 0 && (
            <ul className={classes["failures"]}>
              {failures.map((failure, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a pasted name may come twice, and the list only grows.
                <li key={index}>
                  <code>{failure.name || "(no name)"}</code> {failure.message}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </fieldset>
  );
}
