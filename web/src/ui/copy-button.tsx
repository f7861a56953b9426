import { ActionIcon, Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import toast from "react-hot-toast";
import { writeClipboard } from "@/lib/clipboard";
import { showToCopy } from "@/ui/copy-by-hand";
import { IconCheck, IconCopy } from "@/ui/icons";

/** Copies `value` and shows `copied` in a toast. Where the browser forbids it, shows the value to be copied by hand and returns false. */
export async function copyText(value: string, copied: string): Promise<boolean> {
  if (!(await writeClipboard(value))) {
    showToCopy(value);
    return false;
  }
  // A second copy renews the word of the first.
  toast.success(copied, { id: "copied" });
  return true;
}

/** Copies `value` and confirms it: `copied` is the toast's text, `label` the button's name. */
export function CopyButton({
  value,
  label,
  copied,
  className,
}: {
  value: string;
  label: string;
  copied: string;
  className?: string;
}) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    if (await copyText(value, copied)) setDone(true);
  };
  return (
    <Tooltip label={label}>
      <ActionIcon size={26} className={className} aria-label={label} onClick={() => void copy()}>
        {done ? <IconCheck size={15} aria-hidden="true" /> : <IconCopy size={15} aria-hidden="true" />}
      </ActionIcon>
    </Tooltip>
  );
}
