/** A button of a page's header that shows its icon alone where its words would need a second line. */
import { Button, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./header-button.module.css";

export function HeaderButton({
  label,
  hint,
  icon,
  isTight = false,
  onClick,
}: {
  label: string;
  /** What it is for, where the words alone don't say it. */
  hint?: string;
  icon: ReactNode;
  /** Something else needs the room just now. */
  isTight?: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip label={hint ?? label}>
      <Button
        aria-label={label}
        className={classes["button"] ?? ""}
        data-tight={isTight || undefined}
        leftSection={icon}
        onClick={onClick}
      >
        <span className={classes["label"]}>{label}</span>
      </Button>
    </Tooltip>
  );
}
