import { useState } from "react";
import { IconPhotoOff } from "@/ui/icons";
import { look } from "./look";

/** A small picture; where it can't be loaded, as of an image that was deleted, a sign for that. */
export function Thumbnail({ src, size }: { src: string; size: number }) {
  const [failed, setFailed] = useState<string | null>(null);
  if (failed === src) return <IconPhotoOff size={size / 2} stroke={1.5} role="img" aria-label="Image not found" />;
  return (
    <img
      className={look({ layout: "block", rigid: true, radius: "xs", fill: "sunken" })}
      style={{ objectFit: "cover" }}
      src={src}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      onError={() => setFailed(src)}
    />
  );
}
