/** Offers the unsaved input of an earlier visit. Place it inside the form. */
import { Button } from "@mantine/core";
import type { MouseEvent } from "react";
import type { KeptText } from "@/lib/use-kept-text";
import { focusFormOf } from "./focus";
import { Notice } from "./notice";
import { RelativeTime } from "./relative-time";

export function KeptNotice<Value>({
  kept: { offer, endOffer },
  onContinue,
}: {
  kept: KeptText<Value>;
  onContinue: (value: Value) => void;
}) {
  if (offer === null) return null;
  // The focused button goes with the notice.
  const focusForm = ({ currentTarget }: MouseEvent) => focusFormOf(currentTarget);
  return (
    <Notice
      tone="plain"
      action={
        <>
          <Button
            size="xs"
            onClick={(event) => {
              focusForm(event);
              endOffer();
              onContinue(offer.value);
            }}
          >
            Continue what you wrote
          </Button>
          <Button
            size="xs"
            variant="subtle"
            onClick={(event) => {
              focusForm(event);
              endOffer();
            }}
          >
            Discard it
          </Button>
        </>
      }
    >
      You wrote something here <RelativeTime moment={offer.at} /> and did not save it.
    </Notice>
  );
}
