import { formatMoment, relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";

/** '3 minutes ago', with the exact moment in its tooltip. */
export function RelativeTime({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} title={formatMoment(moment)}>
      {relativeTime(moment, useNow())}
    </time>
  );
}
