import { CreditsHelp } from "@/ui/credits";
import { Panel } from "@/ui/page";
import classes from "./settings.module.css";

export function CreditsSection({ credits }: { credits: number }) {
  return (
    <Panel title="Your Credits" aside={<CreditsHelp />}>
      <div className={classes["row"]}>
        <div className={classes["text"]}>
          <p className={classes["balance"]}>
            {credits} {credits === 1 ? "credit" : "credits"}
          </p>
          <p className={classes["note"]}>
            1 credit is 1 USDT, about 1.00 USD. You assign credits to a project to run its plan, month by month.
          </p>
        </div>
      </div>
    </Panel>
  );
}
