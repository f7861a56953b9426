/** A release that was published while the person reads an older release. The older release stays shown. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { focusPage } from "@/ui/focus";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { searchOf } from "./address";

/** The release to show if the address names no release: the newest when the page opened. It stays when a newer release comes. */
export function usePinned(isOpen: boolean, newest: number | null, isUpToDate: boolean): number | null {
  const [pinned, pin] = useState<number | null>(null);
  const present = isOpen ? (pinned ?? (isUpToDate ? newest : null)) : null;
  if (present !== pinned) pin(present);
  return present;
}

/** The notice of a newer release than the person reads, and the way to it. */
export function NewerRelease({ release }: { release: number }) {
  const navigate = useNavigate();
  return (
    <div className={look({ px: 10, pb: 12 })} role="status">
      <Notice
        tone="plain"
        action={
          <Button
            size="xs"
            onClick={() => {
              // The button goes away with the notice.
              focusPage();
              void navigate({ search: searchOf(release) }, { preventScrollReset: true });
            }}
          >
            Show it
          </Button>
        }
      >
        Release {release} is published.
      </Notice>
    </div>
  );
}
