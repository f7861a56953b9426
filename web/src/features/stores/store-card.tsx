/** One data store in the list. The whole card leads to it. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import { counted } from "@/lib/counted";
import card from "@/ui/card.module.css";
import { IconTrash } from "@/ui/icons";
import { look } from "@/ui/look";
import { Heading, Row, Stack, Text } from "@/ui/parts";
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
    <Stack as="li" shrink place="relative" p={16} surface reveals className={card["card"]}>
      <Row align="start" justify="between" gap={12} className={card["head"]}>
        <Heading shrink breaks>
          <Link
            to={`/projects/${projectId}/stores/${store.apiIdentifier}`}
            className={look({ weight: 600, tone: "ink", plainLink: true }, card["cover"])}
          >
            <bdi>{store.name}</bdi>
          </Link>
        </Heading>
        {store.state !== "published" && <StateBadge state={store.state} />}
      </Row>
      <Text tone="ink-3" breaks mono>
        {store.apiIdentifier}
      </Text>
      <Row align="center" justify="between" gap={12} pt={18} mt="auto" minH={28} size="s" tone="ink-3">
        <span className="num">
          {counted(store.fields.length, "field")} · {counted(store.itemCount, "item")}
        </span>
        {onDelete !== undefined && (
          <Tooltip label="Delete">
            <ActionIcon
              size={28}
              className={look({ reveal: true, place: "relative" }, classes["delete"])}
              aria-label={`Delete ${store.name}`}
              onClick={onDelete}
            >
              <IconTrash size={15} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        )}
      </Row>
    </Stack>
  );
}
