/** An image of the library in the place that it has: its blurred placeholder first, so that nothing moves when it is here. */

import { useMemo, useState } from "react";
import { thumbHashToDataURL } from "thumbhash";
import { IconPhotoOff } from "@/ui/icons";
import { look } from "@/ui/look";
import { Box, Grid } from "@/ui/parts";
import classes from "./picture.module.css";
import type { ImageRecord } from "./queries";

/** Width by height of the place. */
const PLACE = 4 / 3;

/** The blurred form of an image; undefined if it can't be read. */
function usePlaceholder(thumbhash: string): string | undefined {
  return useMemo(() => {
    try {
      const bytes = Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0));
      return bytes.length < 5 ? undefined : thumbHashToDataURL(bytes);
    } catch {
      return undefined;
    }
  }, [thumbhash]);
}

/**
 * Returns the image's address on this server, in a width that fits a card. Each revision has a different address, since
 * the page keeps what it has loaded.
 */
function sourceOf({ url, revision }: ImageRecord): string {
  const { pathname } = new URL(url, window.location.origin);
  return `${pathname}?w=512&v=${revision}`;
}

export function Picture({ image, alt }: { image: ImageRecord; alt: string }) {
  const source = sourceOf(image);
  const placeholder = usePlaceholder(image.thumbhash);
  // By address: a replaced image is a new one to wait for.
  const [shown, setShown] = useState<{ source: string; isBroken: boolean } | null>(null);
  const state = shown?.source !== source ? "loading" : shown.isBroken ? "broken" : "loaded";
  const ratio = image.width / image.height;
  const isWide = ratio >= PLACE;
  return (
    <Grid as="span" center full place="relative" clip className={classes["place"]}>
      <Box
        as="span"
        layout="block"
        place="relative"
        className={classes["frame"]}
        style={{
          aspectRatio: String(ratio),
          ...(isWide
            ? { width: "100%", maxWidth: image.width }
            : { height: "100%", maxHeight: Math.max(image.height, 1) }),
        }}
      >
        {placeholder !== undefined && state !== "loaded" && (
          <img
            className={look({ layout: "block", full: true, place: "absolute" })}
            src={placeholder}
            alt=""
            aria-hidden="true"
          />
        )}
        {state === "broken" ? (
          <span
            className={look(
              { layout: "grid", center: true, place: "absolute", minH: 40, tone: "ink-3", minW: 40 },
              classes["broken"],
            )}
            role="img"
            aria-label={`${alt} could not be loaded`}
          >
            <IconPhotoOff size={20} aria-hidden="true" />
          </span>
        ) : (
          <img
            className={look({ layout: "block", full: true, place: "absolute" })}
            src={source}
            alt={alt}
            width={image.width}
            height={image.height}
            loading="lazy"
            decoding="async"
            data-state={state}
            onLoad={() => setShown({ source, isBroken: false })}
            onError={() => setShown({ source, isBroken: true })}
          />
        )}
      </Box>
    </Grid>
  );
}
