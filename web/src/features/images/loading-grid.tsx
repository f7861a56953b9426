/** Keeps the grid's layout while the images are on their way: grey cards after 300 ms, nothing before. */
import { Loader, Skeleton } from "@mantine/core";
import { useDelayed } from "@/lib/use-delayed";
import classes from "./images-page.module.css";

const CARDS = ["a", "b", "c", "d", "e", "f", "g", "h"];

export function LoadingGrid() {
  const due = useDelayed(true);
  return (
    <div role="status" aria-label="Loading images">
      <div className={classes["toolbar"]}>{due && <Loader size={18} />}</div>
      <div className={classes["grid"]}>
        {CARDS.map((card) => (
          <Skeleton key={card} height={270} radius="lg" visible={due} animate />
        ))}
      </div>
    </div>
  );
}
