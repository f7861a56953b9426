/** The images that differ between two releases, with their size on the screen and in bytes. */
import { formatBytes } from "@/lib/bytes";
import { DiffSection } from "@/ui/diff-section";
import { ChangeHead } from "@/ui/key-change";
import lines from "@/ui/key-change.module.css";
import { Box, Stack, Text } from "@/ui/parts";
import type { ImageChange } from "./queries";

export function ImageChanges({ images, total }: { images: readonly ImageChange[]; total: number }) {
  if (total === 0) return null;
  const hidden = total - images.length;
  return (
    <DiffSection
      id="images"
      label="Images"
      title="Images"
      count={total === 1 ? "1 image" : `${total.toLocaleString("en")} images`}
      isFolded={false}
      revealed={null}
      lines={images}
      after={
        hidden > 0 && (
          <Text pt={8} size="s" tone="ink-3">
            and {hidden.toLocaleString("en")} more
          </Text>
        )
      }
    >
      {({ key, change, by, at, old, new: next }) => (
        <Box as="li" key={key} py={9} lineBelow className={lines["key"]}>
          <ChangeHead of={{ name: key }} change={change} by={by} at={at} />
          <div className={lines["value"]}>
            <Stack gap={2} grow shrink textAlign="start" space="pre-wrap" breaks className={lines["texts"]}>
              {old !== null && <del>{factsOf(old)}</del>}
              {next !== null && <ins>{factsOf(next)}</ins>}
            </Stack>
          </div>
        </Box>
      )}
    </DiffSection>
  );
}

/** '1200 × 800, 120 KB'. */
const factsOf = ({ width, height, bytes }: NonNullable<ImageChange["old"]>) =>
  `${width} × ${height}, ${formatBytes(bytes)}`;
