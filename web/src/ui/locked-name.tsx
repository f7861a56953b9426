/** The name of a thing that apps ask for. It is locked until somebody asks to rename it. */
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Grid, Row, Text } from "./parts";

export function LockedName({
  label = "",
  name,
  isLocked,
  breaks,
  isRenamed = false,
  isOff = false,
  children,
}: {
  /** Left out in a row whose heading has it. */
  label?: string;
  name: string;
  /** Whether a release has the name. */
  isLocked: boolean;
  /** What a new name breaks. */
  breaks: ReactNode;
  /** Whether the field has a different name already, such as kept text. It is never hidden then. */
  isRenamed?: boolean;
  isOff?: boolean;
  /** The field of the name. It takes the focus when it is asked for. */
  children: (isAsked: boolean) => ReactNode;
}) {
  const [isAsked, setAsked] = useState(false);
  if (isRenamed && !isAsked) setAsked(true);
  if (!isLocked) return children(false);
  if (isAsked) {
    return (
      <div>
        {children(true)}
        <Text pt={6} size="s" tone="warn">
          {breaks}
        </Text>
      </div>
    );
  }
  return (
    <Grid gap={2} shrink>
      {label !== "" && (
        <Text as="span" size="s" weight={500}>
          {label}
        </Text>
      )}
      <Row as="span" align="center" gap={8} shrink>
        <Text as="bdi" shrink size="s" breaks code>
          {name}
        </Text>
        <Button size="xs" variant="subtle" disabled={isOff} onClick={() => setAsked(true)}>
          Rename…
        </Button>
      </Row>
      <Text as="span" size="xs" tone="ink-3">
        Apps ask for this key.
      </Text>
    </Grid>
  );
}
