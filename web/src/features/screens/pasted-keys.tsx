/** Adds pasted keys in order, shows the progress, and lists what could not be added. */
import { Button, Progress } from "@mantine/core";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { look } from "@/ui/look";
import { Box } from "@/ui/parts";
import classes from "./add-key-row.module.css";
import type { KeyLine } from "./key-lines";
import type { KeyRecord } from "./queries";

interface Failure extends KeyLine {
  message: string;
}

/** What a button does, but not for the second half of a double click, which was meant for the button before it. */
const once = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act();
};

const keysOf = (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "key" : "keys"}`;

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
    const failed = [...failures];
    // Goes on where it was stopped.
    for (const [index, line] of [...lines.entries()].slice(done)) {
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
  const left = lines.length - done;
  return (
    <Box
      as="fieldset"
      gap={10}
      gapX={16}
      shrink
      m={0}
      border="none"
      className={classes["pasted"]}
      aria-label="Pasted keys"
    >
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
              Add {keysOf(lines.length)}
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
            onClick={once(() => {
              isStopped.current = true;
            })}
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
          <span>
            <Button variant={left > 0 ? "subtle" : "default"} autoFocus={left === 0} onClick={once(onClose)}>
              Close
            </Button>{" "}
            {left > 0 && (
              <Button variant="filled" autoFocus onClick={once(() => void run())}>
                Add the other {keysOf(left)}
              </Button>
            )}
          </span>
          {failures.length > 0 && (
            <Box as="ul" whole scroll size="note" tone="bad" maxH={160}>
              {failures.map((failure, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a pasted name may come twice, and the list only grows.
                <li key={index}>
                  <code className={look({ tone: "ink", code: true })}>{failure.name || "(no name)"}</code>{" "}
                  {failure.message}
                </li>
              ))}
            </Box>
          )}
        </>
      )}
    </Box>
  );
}
