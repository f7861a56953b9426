import type { Project } from "@/lib/api-types";
import { Grid, Text } from "@/ui/parts";
import classes from "./usage-section.module.css";

/** What is counted in pieces: how many there are of how many. */
export function PlanLimits({ project: { tabs, languages, seatsTaken, storeCount, limits } }: { project: Project }) {
  return (
    <Grid as="dl" gap={8} gapX={16} px={16} py={14} lineAbove lineBelow columns={4} className={classes["limits"]}>
      {/* `general` is every project's own and does not count. */}
      <Limit name="Screens" used={tabs.length - 1} limit={limits.screens} />
      <Limit name="Languages" used={languages.length} limit={limits.languages} />
      <Limit name="Seats" used={seatsTaken} limit={limits.seats} />
      <Limit name="Data stores" used={storeCount} limit={limits.stores} />
    </Grid>
  );
}

function Limit({ name, used, limit }: { name: string; used: number; limit: number }) {
  return (
    <div>
      <Text as="dt" size="s" tone="ink-2">
        {name}
      </Text>
      <Text as="dd" num>
        {limit === -1 ? `${used} · Unlimited` : `${used} / ${limit}`}
      </Text>
    </div>
  );
}
