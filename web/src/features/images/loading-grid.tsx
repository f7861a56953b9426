/** Keeps the grid's layout while the images are on their way: grey cards after 300 ms, nothing before. */
import { Loader, Skeleton } from "@mantine/core";
import { useDelayed } from "@/lib/use-delayed";
import { Grid, Row } from "@/ui/parts";
import classes from "./images-page.module.css";

const CARDS = ["a", "b", "c", "d", "e", "f", "g", "h"];

export function LoadingGrid() {
  const due = useDelayed(true);
  return (
    <div role="status" aria-label="Loading images">
      <Row wrap align="center" gap={8} gapX={12} mb={16} className={classes["toolbar"]}>
        {due && <Loader size={18} />}
      </Row>
      <Grid gap={16} fit={220} phoneColumns={1} className={classes["grid"]}>
        {CARDS.map((card) => (
          <Skeleton key={card} height={270} radius="lg" visible={due} animate />
        ))}
      </Grid>
    </div>
  );
}
