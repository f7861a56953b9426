// The project's colours on the page: the SDK keeps them as `--livery-<key>` on the root element, and this adds for each
// colour that carries words the better readable of ink and paper, so that whatever someone picks stays legible.

import { applyColors, type LiveryClient } from "@livery/client";

const CARRIERS = ["primary", "accent", "success"] as const;

const INK = "#10201f";
const PAPER = "#ffffff";

/** Follows the client until the returned function is called. */
export function followColors(client: LiveryClient): () => void {
  const { style } = document.documentElement;
  const update = () => {
    for (const name of CARRIERS) {
      const color = client.color(name);
      if (color) style.setProperty(`--on-${name}`, readableOn(color));
    }
  };
  update();
  const stops = [applyColors(client), client.subscribe(update)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The better readable of ink and paper on `#rrggbb`. */
export function readableOn(color: string): string {
  return contrast(color, PAPER) >= contrast(color, INK) ? PAPER : INK;
}

/** WCAG 2 contrast ratio of two `#rrggbb` colours. */
function contrast(a: string, b: string): number {
  const one = luminance(a);
  const other = luminance(b);
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

function luminance(color: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
