/** The balance, and what credits are. */
import { Button, Popover } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { plansQuery } from "@/lib/queries";
import { Badge } from "./badge";
import classes from "./credits.module.css";

export function CreditsBadge({ credits }: { credits: number }) {
  return (
    <Badge tone="plain">
      {credits} {credits === 1 ? "credit" : "credits"}
    </Badge>
  );
}

/** A button that explains credits by the table of plans. */
export function CreditsHelp() {
  const [opened, setOpened] = useState(false);
  const { data } = useQuery({ ...plansQuery, enabled: opened });
  const paid = data?.plans.filter((plan) => plan.monthlyCreditCost > 0) ?? [];
  return (
    <Popover opened={opened} onChange={setOpened} width={300} position="bottom-end" shadow="none" trapFocus withRoles>
      <Popover.Target>
        <Button variant="subtle" size="xs" onClick={() => setOpened(!opened)}>
          What are Credits
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="What are Credits" tabIndex={-1} data-autofocus>
        <div className={classes["help"]}>
          <h2>What are Credits</h2>
          <p>
            Credits pay for your projects' plans. 1 credit is 1 USDT, about 1.00 USD. You assign credits to a project,
            and its plan runs for the months you chose.
          </p>
          {paid.length > 0 && (
            <dl>
              {paid.map((plan) => (
                <div key={plan.id}>
                  <dt>{plan.name}</dt>
                  <dd className="num">{plan.monthlyCreditCost} credits a month</dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
