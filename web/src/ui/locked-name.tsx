/** The name of a thing that apps ask for. It is locked until somebody asks to rename it. */
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import classes from "./locked-name.module.css";

export function LockedName({
  label = "",
  name,
  isLocked,
  breaks,
  isRenamed = false,
  isOff = false,
  children,
}: {
  /** Left out in a row whose heading says it. */
  label?: string;
  name: string;
  /** Whether a release has the name. */
  isLocked: boolean;
  /** What a new name breaks. */
  breaks: ReactNode;
  /** Whether the field has a different name already, such as kept text. It is never hidden then. */
  isRenamed?: boolean;
  isOff?: boolean;
  /** The field of the name. It takes the focus when it is asked for. */
  children: (isAsked: boolean) => ReactNode;
}) {
  const [isAsked, setAsked] = useState(false);
  if (isRenamed && !isAsked) setAsked(true);
  if (!isLocked) return children(false);
  if (isAsked) {
    return (
      <div>
        {children(true)}
        <p className={classes["breaks"]}>{breaks}</p>
      </div>
    );
  }
  return (
    <div className={classes["locked"]}>
      {label !== "" && <span className={classes["label"]}>{label}</span>}
      <span className={classes["line"]}>
        <bdi className={classes["name"]}>{name}</bdi>
        <Button size="xs" variant="subtle" disabled={isOff} onClick={() => setAsked(true)}>
          Rename…
        </Button>
      </span>
      <span className={classes["why"]}>Apps ask for this key.</span>
    </div>
  );
}
