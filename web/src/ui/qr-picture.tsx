/** A link as a QR code, for the phone beside the screen. Always dark on white: cameras read it so in a dark theme too. */
import { encode } from "uqr";

const QUIET = 4;
/** The modules of a longer link are too small for a camera. */
const LONGEST_BYTES = 700;

export function QrPicture({ text, label }: { text: string; label: string }) {
  if (new TextEncoder().encode(text).length > LONGEST_BYTES) return null;
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={168}
      height={168}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path.join("")} fill="#000000" />
    </svg>
  );
}
