/** Takes what is dropped anywhere on the page, also beside the dialog, and shows this while something is dragged over it. */

import { useEffect } from "react";
import { useDropzone } from "react-dropzone";
import { IconPhotoUp } from "@/ui/icons";
import { look } from "@/ui/look";
import { Row } from "@/ui/parts";
import classes from "./drop-cover.module.css";

export function DropCover({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { getRootProps, isDragGlobal } = useDropzone({
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    onDrop: (accepted) => onFiles(accepted),
  });
  return (
    <div
      className={look({ layout: "grid", center: true }, classes["cover"])}
      {...getRootProps()}
      data-active={isDragGlobal || undefined}
      // There are no such events during a drag. So the drag ended unheard, as over an element that was removed.
      onPointerMove={() => document.dispatchEvent(new Event("dragend"))}
    >
      {isDragGlobal && (
        <Row
          as="p"
          align="center"
          gap={10}
          px={20}
          py={14}
          fill="raised"
          border="strong"
          radius="l"
          shadow
          weight={500}
          className={classes["hint"]}
        >
          <IconPhotoUp size={22} aria-hidden="true" />
          Drop the image anywhere
        </Row>
      )}
    </div>
  );
}

/** Hears of files that are pasted anywhere on the page. */
export function usePastedFiles(onFiles: (files: File[]) => void): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    };
    window.addEventListener("paste", onPaste);
    return () => window.removeEventListener("paste", onPaste);
  }, [onFiles]);
}
