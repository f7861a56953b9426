/** Which items of data stores show an image that is about to be deleted, or to get another key. */
import { useQuery } from "@tanstack/react-query";
import { Notice } from "@/ui/notice";
import { type ImageRecord, usesQuery } from "./queries";

export function ImageUses({ projectId, image }: { projectId: string; image: ImageRecord }) {
  const { data = [] } = useQuery(usesQuery(projectId, image._id));
  const total = data.reduce((sum, { items }) => sum + items, 0);
  if (total === 0) return null;
  return (
    <Notice tone="warn">
      {total === 1 ? "1 item shows" : `${total.toLocaleString("en")} items show`} this image, and would show no image:{" "}
      {data.map(({ store, name, items, labels }, index) => (
        <span key={store}>
          {index > 0 && "; "}
          <bdi>{labels.join(", ")}</bdi>
          {items > labels.length && ` and ${(items - labels.length).toLocaleString("en")} more`} in <bdi>{name}</bdi>
        </span>
      ))}
      .
    </Notice>
  );
}
