/** The balance, and what credits are. */
import { Button, Popover } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { plansQuery } from "@/lib/queries";
import { Badge } from "./badge";
import classes from "./credits.module.css";
import { Box, Heading, Text } from "./parts";

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
        <Box size="s" tone="ink-2" className={classes["help"]}>
          <Heading mb={4} size="s" tone="ink">
            What are Credits
          </Heading>
          <p>
            Credits pay for your projects' plans. 1 credit is 1 USDT, about 1.00 USD. You assign credits to a project,
            and its plan runs for the months you chose.
          </p>
          {paid.length > 0 && (
            <Box as="dl" mt={10} lineAbove>
              {paid.map((plan) => (
                <div key={plan.id}>
                  <Text as="dt" tone="ink">
                    {plan.name}
                  </Text>
                  <dd className="num">{plan.monthlyCreditCost} credits a month</dd>
                </div>
              ))}
            </Box>
          )}
        </Box>
      </Popover.Dropdown>
    </Popover>
  );
}
