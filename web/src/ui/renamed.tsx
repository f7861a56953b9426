/** Shows in a narrow column under which name apps have a renamed entry until the next publish. */
import { Badge } from "./badge";
import { Stack, Text } from "./parts";

export function Renamed({ from }: { from: string }) {
  return (
    <Stack as="span" align="start" gap={2} shrink title={`Apps have this as ${from} until the next publish.`}>
      <Badge tone="warn">Renamed</Badge>
      <Text as="span" size="xs" tone="ink-3" breaks>
        from <bdi className="mono">{from}</bdi>
      </Text>
    </Stack>
  );
}
