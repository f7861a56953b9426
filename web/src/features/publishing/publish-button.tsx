/** The button that publishes, with the number of unpublished changes, and the stripes that cross the header when it is done. */
import { Button, Tooltip } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "react-router";
import type { Project } from "@/lib/api-types";
import { isMac, useShortcut } from "@/lib/keyboard";
import { hasActivePlan, may, NO_PLAN, refusals } from "@/lib/project";
import { useAddressChange } from "@/lib/use-address-change";
import { useNow } from "@/lib/use-now";
import { Text } from "@/ui/parts";
import classes from "./publish-button.module.css";
import { PublishDialog } from "./publish-dialog";

const shortcut = isMac ? "⌘ Enter" : "Ctrl Enter";

/** Also while a text is being written. */
const isAsked = (event: KeyboardEvent): boolean =>
  event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat;

export function PublishButton({ project, onNoPlan }: { project: Project; onNoPlan: () => void }) {
  const [isReviewing, setReviewing] = useState(false);
  const [published, setPublished] = useState(0);
  const hasPlan = hasActivePlan(project, useNow());
  const reason = !may(project, "publish")
    ? refusals.publish
    : !hasPlan && !may(project, "assign_credits")
      ? NO_PLAN
      : null;
  const start = () => {
    if (reason !== null) return;
    if (hasPlan) setReviewing(true);
    else onNoPlan();
  };
  const startByKey = () => {
    // A text that is being written is saved by leaving it, and so is part of the review.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    start();
  };
  useShortcut(isAsked, startByKey, reason !== null);
  useAddressChange(useLocation().pathname, () => setReviewing(false));

  const { total } = project.unpublished;
  // The first publish makes a release of an empty draft too.
  const isQuiet = hasPlan && total === 0 && project.isPublished;
  const count = total > 999 ? "999+" : String(total);
  const waiting = total === 1 ? "1 change waits" : `${total} changes wait`;
  const action = isQuiet ? "Nothing to publish" : "Review and publish";
  const label = reason ?? (hasPlan ? `${action} · ${shortcut}` : NO_PLAN);
  return (
    <>
      <Tooltip label={label}>
        <Button
          variant={hasPlan && !isQuiet ? "filled" : "default"}
          className={isQuiet ? (classes["quiet"] ?? "") : ""}
          aria-keyshortcuts={isMac ? "Meta+Enter" : "Control+Enter"}
          {...(reason === null ? {} : { "data-disabled": true, "aria-disabled": true, "aria-description": reason })}
          onClick={start}
        >
          <span>
            Publish <span className={classes["rest"]}>Changes</span>
          </span>
          {total > 0 && (
            <Text as="span" px={7} ms={8} className={classes["count"]}>
              <span aria-hidden="true">{count}</span>
              <Text as="span" space="nowrap" spoken>
                , {waiting}
              </Text>
            </Text>
          )}
        </Button>
      </Tooltip>
      {published > 0 && <i key={published} className={classes["moment"]} aria-hidden="true" />}
      <PublishDialog
        project={project}
        opened={isReviewing}
        onClose={() => setReviewing(false)}
        onPublished={() => {
          setReviewing(false);
          setPublished(published + 1);
        }}
        onNoPlan={() => {
          setReviewing(false);
          onNoPlan();
        }}
      />
    </>
  );
}
