/** The tiers as cards to choose from. */
import { UnstyledButton } from "@mantine/core";
import type { KeyboardEvent } from "react";
import type { Answer } from "@/lib/api-types";
import { Badge } from "@/ui/badge";
import { IconChartBar, IconCheck, IconGift, IconRocket, IconSeedling } from "@/ui/icons";
import { look } from "@/ui/look";
import { Row, Stack, Text } from "@/ui/parts";
import classes from "./activation-dialog.module.css";

export type Plan = Answer<"/api/plans", "get">["plans"][number];

const icons: Record<string, typeof IconGift> = {
  gift: IconGift,
  seedling: IconSeedling,
  chart: IconChartBar,
  rocket: IconRocket,
};

export function PlanCards({
  plans,
  value,
  current,
  used,
  onChange,
}: {
  plans: readonly Plan[];
  value: string;
  /** The tier that the project is on. */
  current: string;
  /** The tier that can't be chosen again, or null. */
  used: string | null;
  onChange: (tier: string) => void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = plans.findIndex(({ id }) => id === value);
    const next = plans[(index + step + plans.length) % plans.length];
    if (next === undefined) return;
    onChange(next.id);
    document.getElementById(`plan-${next.id}`)?.focus();
  };
  return (
    <div
      className={look({ layout: "grid", gap: 8, columns: 4, smallColumns: 1 })}
      role="radiogroup"
      aria-label="Plan"
      onKeyDown={onKeyDown}
    >
      {plans.map((plan) => {
        const Icon = icons[plan.icon] ?? IconGift;
        const isChosen = plan.id === value;
        return (
          <UnstyledButton
            key={plan.id}
            id={`plan-${plan.id}`}
            role="radio"
            aria-checked={isChosen}
            aria-label={`${plan.name}, ${plan.priceDisplay}`}
            tabIndex={isChosen ? 0 : -1}
            data-autofocus={isChosen || undefined}
            className={look(
              { layout: "stack", align: "start", gap: 6, p: 14, fill: "surface", border: "strong", radius: "m" },
              classes["card"],
            )}
            onClick={() => onChange(plan.id)}
          >
            <Row as="span" align="center" size="s" gap={7}>
              <Icon size={16} stroke={1.7} aria-hidden="true" />
              <Text as="b" weight={600}>
                {plan.name}
              </Text>
            </Row>
            <Text as="span" size="s" tone="ink-2" num>
              {plan.priceDisplay}
            </Text>
            {plan.id === current ? (
              <Badge tone="ok">Current plan</Badge>
            ) : (
              <Badge>{plan.id === used ? "Used" : plan.tag}</Badge>
            )}
            <Stack as="ul" mt={6} size="xs" leading={140} tone="ink-2" gap={5} className={classes["features"]}>
              {plan.features.map(({ text, description }) => (
                <Row as="li" gap={6} key={text} title={description}>
                  <IconCheck className={look({ rigid: true, mt: 2, tone: "ok" })} size={13} aria-hidden="true" />
                  {text}
                </Row>
              ))}
            </Stack>
          </UnstyledButton>
        );
      })}
    </div>
  );
}
