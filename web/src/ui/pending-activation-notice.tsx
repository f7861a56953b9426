/** The way back to an activation for which credits were short, on the pages to which a payment leads back. */
import { Button, CloseButton } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { forgetActivation, pendingActivation } from "@/lib/pending-activation";
import { Notice } from "./notice";

export function PendingActivationNotice({ credits }: { credits: number }) {
  const [pending, setPending] = useState(pendingActivation);
  if (pending === null) return null;
  const { projectId, projectName, tierId, tierName, months, cost } = pending;
  const isEnough = credits >= cost;
  const dismiss = () => {
    forgetActivation();
    setPending(null);
  };
  return (
    <Notice
      tone={isEnough ? "ok" : "plain"}
      action={
        <>
          <Button
            size="xs"
            variant={isEnough ? "filled" : "default"}
            component={Link}
            to={`/projects/${projectId}/general`}
            state={{ activate: { tier: tierId, months } }}
          >
            {isEnough ? `Activate ${tierName}` : `Back to ${projectName}`}
          </Button>
          <CloseButton size="sm" aria-label="Dismiss" onClick={dismiss} />
        </>
      }
    >
      {isEnough
        ? `You have the ${cost} credits for ${tierName} of ${projectName}.`
        : `${tierName} of ${projectName} needs ${cost} credits, you have ${credits}.`}
    </Notice>
  );
}
