/** The tiers as cards to choose from. */
import { UnstyledButton } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { Badge } from "@/ui/badge";
import { IconChartBar, IconCheck, IconGift, IconRocket, IconSeedling } from "@/ui/icons";
import type { Plan } from "./activation-dialog";
import classes from "./activation-dialog.module.css";

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
    <div role="radiogroup" aria-label="Plan" className={classes["cards"]} onKeyDown={onKeyDown}>
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
            className={classes["card"]}
            onClick={() => onChange(plan.id)}
          >
            <span className={classes["cardHead"]}>
              <Icon size={16} stroke={1.7} aria-hidden="true" />
              <b>{plan.name}</b>
            </span>
            <span className={classes["price"]}>{plan.priceDisplay}</span>
            {plan.id === current ? (
              <Badge tone="ok">Current plan</Badge>
            ) : (
              <Badge>{plan.id === used ? "Used" : plan.tag}</Badge>
            )}
            <ul className={classes["features"]}>
              {plan.features.map(({ text, description }) => (
                <li key={text} title={description}>
                  <IconCheck size={13} aria-hidden="true" />
                  {text}
                </li>
              ))}
            </ul>
          </UnstyledButton>
        );
      })}
    </div>
  );
}
