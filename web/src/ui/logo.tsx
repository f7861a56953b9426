import classes from "./logo.module.css";
import { Box, Text } from "./parts";

/** The mark and the name. `inverted` is for the dark brand panel. */
export function Logo({ inverted = false }: { inverted?: boolean }) {
  return (
    <Box
      as="span"
      layout="inline"
      align="center"
      tone="ink"
      gap={9}
      className={classes["logo"]}
      data-inverted={inverted || undefined}
    >
      <Text as="i" w={20} h={20} aria-hidden="true" />
      Livery
    </Box>
  );
}
