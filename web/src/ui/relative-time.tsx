import { formatMoment, relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import classes from "./relative-time.module.css";

/** '3 minutes ago', with the exact moment in its tooltip and on paper. */
export function RelativeTime({ moment }: { moment: string }) {
  return (
    <time className={classes["time"]} dateTime={moment} title={formatMoment(moment)}>
      {relativeTime(moment, useNow())}
    </time>
  );
}
