/** One data store in the list. The whole card leads to it. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import { counted } from "@/lib/counted";
import card from "@/ui/card.module.css";
import { IconTrash } from "@/ui/icons";
import type { Store } from "./queries";
import { StateBadge } from "./state-badge";
import classes from "./stores-page.module.css";

export function StoreCard({
  projectId,
  store,
  onDelete,
}: {
  projectId: string;
  store: Store;
  onDelete: (() => void) | undefined;
}) {
  return (
    <li className={`${card["card"]} ${classes["card"]}`}>
      <div className={card["head"]}>
        <h2>
          <Link
            to={`/projects/${projectId}/stores/${store.apiIdentifier}`}
            className={`${card["cover"]} ${classes["link"]}`}
          >
            <bdi>{store.name}</bdi>
          </Link>
        </h2>
        {store.state !== "published" && <StateBadge state={store.state} />}
      </div>
      <p className="mono">{store.apiIdentifier}</p>
      <div className={classes["foot"]}>
        <span className="num">
          {counted(store.fields.length, "field")} · {counted(store.itemCount, "item")}
        </span>
        {onDelete !== undefined && (
          <Tooltip label="Delete">
            <ActionIcon
              size={28}
              className={classes["delete"] ?? ""}
              aria-label={`Delete ${store.name}`}
              onClick={onDelete}
            >
              <IconTrash size={15} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </li>
  );
}
