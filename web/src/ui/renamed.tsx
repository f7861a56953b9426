/** Says in a narrow column under which name apps have a renamed thing until the next publish. */
import { Badge } from "./badge";
import classes from "./renamed.module.css";

export function Renamed({ from }: { from: string }) {
  return (
    <span className={classes["renamed"]} title={`Apps have this as ${from} until the next publish.`}>
      <Badge tone="warn">Renamed</Badge>
      <span className={classes["from"]}>
        from <bdi className="mono">{from}</bdi>
      </span>
    </span>
  );
}
