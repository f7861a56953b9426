/** Shows a text that the browser does not let a page copy, selected, so that the person can copy it. */
import { CloseButton } from "@mantine/core";
import { useEffect, useId, useRef } from "react";
import toast from "react-hot-toast";
import classes from "./copy-by-hand.module.css";
import { useEscapeFirst } from "./escape-first";
import { look } from "./look";
import { Grid } from "./parts";

const TOAST = "copy-by-hand";

export function showToCopy(text: string): void {
  const opener = document.activeElement;
  const close = () => {
    toast.dismiss(TOAST);
    if (opener instanceof HTMLElement) opener.focus();
  };
  toast(({ visible }) => <CopyByHand key={text} text={text} isOpen={visible} onClose={close} />, {
    id: TOAST,
    duration: Number.POSITIVE_INFINITY,
  });
}

function CopyByHand({ text, isOpen, onClose }: { text: string; isOpen: boolean; onClose: () => void }) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, []);
  useEscapeFirst(isOpen, onClose);
  return (
    <Grid as="span" align="start" gap={6} gapX={8} columns="side" className={classes["box"]}>
      <label htmlFor={id}>The browser does not let Livery copy. Copy this text:</label>
      <CloseButton size="sm" aria-label="Close" onClick={onClose} />
      <textarea
        ref={area}
        id={id}
        className={look({
          whole: true,
          px: 8,
          py: 6,
          fill: "sunken",
          border: "strong",
          radius: "s",
          tone: "ink",
          mono: true,
        })}
        readOnly
        rows={Math.min(text.split("\n").length, 6)}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Grid>
  );
}
