/** How well two colours stand off each other, by WCAG 2.2 (relative luminance and contrast ratio). */

/** Of `#rrggbb`, from 0 (black) to 1 (white). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 (the same) to 21 (black on white); the order does not matter. */
export function contrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** `4.54:1`. Cut, not rounded: 4.499 is no 4.5. */
export const ratioText = (ratio: number): string => `${(Math.floor(ratio * 100 + 1e-6) / 100).toFixed(2)}:1`;

/** What a ratio must reach. Large is from 24 px, or 19 px in bold. */
export const levels = [
  { name: "AA", use: "normal text", least: 4.5 },
  { name: "AA", use: "large text", least: 3 },
  { name: "AAA", use: "normal text", least: 7 },
  { name: "AAA", use: "large text", least: 4.5 },
] as const;
