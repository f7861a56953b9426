import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { pendingActivation } from "@/lib/pending-activation";
import { CreditsHelp } from "@/ui/credits";
import { Panel } from "@/ui/page";
import { PanelRow } from "@/ui/panel-row";
import { Box, Text } from "@/ui/parts";
import { PendingActivationNotice } from "@/ui/pending-activation-notice";
import classes from "@/ui/rows.module.css";
import { BuyCreditsDialog, DEFAULT_AMOUNT } from "./buy-credits-dialog";
import { CreditHistory } from "./credit-history";
import own from "./credits-section.module.css";

export function CreditsSection({ credits }: { credits: number }) {
  const wanted = useWantedCredits();
  const [amount, setAmount] = useState<number | null>(wanted);
  return (
    <Panel title="Your Credits" aside={<CreditsHelp />}>
      <PanelRow>
        <Box shrink breaks className={classes["text"]}>
          <Text num figure>
            {credits} {credits === 1 ? "credit" : "credits"}
          </Text>
          <Text size="s" tone="ink-2" className={classes["note"]}>
            1 credit is 1 USDT, about 1.00 USD. You assign credits to a project to run its plan, month by month.
          </Text>
        </Box>
        <Button size="xs" onClick={() => setAmount(firstAmount(credits))}>
          Buy More Credits
        </Button>
      </PanelRow>
      <div className={own["pending"]}>
        <PendingActivationNotice credits={credits} />
      </div>
      <CreditHistory />
      <BuyCreditsDialog amount={amount} onClose={() => setAmount(null)} />
    </Panel>
  );
}

/** What is missing for the plan that the person wanted last, else the usual amount. */
function firstAmount(credits: number): number {
  const missing = (pendingActivation()?.cost ?? 0) - credits;
  return missing > 0 ? missing : DEFAULT_AMOUNT;
}

/** How many credits the page that led here is short of, or null. A reload asks no more. */
function useWantedCredits(): number | null {
  const state: unknown = useLocation().state;
  const navigate = useNavigate();
  const isAsked = typeof state === "object" && state !== null && "buy" in state;
  useEffect(() => {
    if (isAsked) void navigate(".", { replace: true, state: null });
  }, [isAsked, navigate]);
  return isAsked && typeof state.buy === "number" && state.buy >= 1 ? state.buy : null;
}
