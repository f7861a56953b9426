/** Below a review: what stays in the draft, what is removed, what Enter does, and the button that publishes. */
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { counted } from "@/lib/counted";
import { dialogFooter } from "@/ui/dialog-frame";
import { look } from "@/ui/look";
import { Box, Row, Text } from "@/ui/parts";
import classes from "./publish-dialog.module.css";
import type { Tally } from "./use-selection";

export function ReviewFooter({
  tally,
  removals,
  enter,
  isRenewed,
  isDisarmed,
  isPending,
  autoFocus,
  onPublish,
  onClose,
  children,
}: {
  tally: Tally & { kept: number; partial: number };
  /** How many of the selected changes are removals. */
  removals: number;
  /** What Enter does; null if that is not shown. */
  enter: string | null;
  /** The review is not what it opened with. */
  isRenewed: boolean;
  isDisarmed: boolean;
  isPending: boolean;
  autoFocus: boolean;
  onPublish: () => void;
  onClose: () => void;
  /** Notices. */
  children: ReactNode;
}) {
  const { picked, kept } = tally;
  const isNothing = picked === 0 && kept > 0;
  const isOff = isDisarmed || isNothing;
  return (
    <div className={`${dialogFooter} ${look({ layout: "stack", gap: 12 })}`}>
      {children}
      <Row align="center" justify="end" gap={8} className={classes["buttons"]}>
        <Box shrink me="auto" size="note" leading={135} tone="ink-2" className={classes["sum"]}>
          <p role="status">
            {kept > 0 && <span>{keptWords(tally)}</span>}
            {kept > 0 && removals > 0 && " · "}
            {removals > 0 && (
              <Text as="b" weight={600} tone="bad">
                {counted(removals, "removal")}
              </Text>
            )}
          </p>
          {enter !== null && (
            <Text size="xs" tone="ink-3" noTouch>
              {enter}
            </Text>
          )}
        </Box>
        <Button onClick={onClose} disabled={isPending}>
          Cancel
        </Button>
        <Button
          variant="filled"
          className={`${classes["publish"]} num`}
          // Neither a removal nor what needs a check is one key press away from apps.
          autoFocus={autoFocus}
          loading={isPending}
          {...(isOff ? { "data-disabled": true, "aria-disabled": true } : {})}
          {...(isNothing ? { "aria-description": "Nothing is selected. Select at least one change to publish." } : {})}
          onClick={() => {
            if (!isOff) onPublish();
          }}
        >
          {publishWords(tally)}
          {isRenewed && " as shown now"}
        </Button>
      </Row>
    </div>
  );
}

/** '2 stay in the draft', '2 stay in the draft, 1 of them in part'. */
function keptWords({ kept, partial }: { kept: number; partial: number }): string {
  const stay = `${kept.toLocaleString("en")} ${kept === 1 ? "stays" : "stay"} in the draft`;
  if (partial === 0) return stay;
  return partial === kept ? `${stay} in part` : `${stay}, ${partial.toLocaleString("en")} of them in part`;
}

function publishWords({ picked, total, kept }: { picked: number; total: number; kept: number }): string {
  if (kept > 0) return `Publish ${picked.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  return total === 0 ? "Publish" : `Publish ${counted(total, "change")}`;
}
