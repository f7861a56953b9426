import { useId } from "react";

interface AuroraProps {
  /** Left end, width and lower edge of the curtain, in the units of the drawing around it. */
  x: number;
  width: number;
  y: number;
  height: number;
  /** How far the lower edge swings up and down. */
  swing: number;
  strips: number;
  seed: number;
  className?: string;
}

/** A number from 0 to 1 that is always the same for the same input, so a repaint never shimmers. */
export function grain(n: number): number {
  const raw = Math.sin(n * 12.9898) * 43758.5453;
  return raw - Math.floor(raw);
}

/** A curtain of northern light: overlapping strips along a wave, each fading upwards. */
export function Aurora({ x, width, y, height, swing, strips, seed, className }: AuroraProps) {
  const fade = useId();
  const step = width / strips;
  return (
    <g className={className} transform="skewX(-7)">
      <linearGradient id={fade} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" className="aurora-top" />
        <stop offset=".62" className="aurora-middle" />
        <stop offset=".93" className="aurora-bottom" />
        <stop offset="1" className="aurora-end" />
      </linearGradient>
      {Array.from({ length: strips }, (_, i) => {
        const at = i / strips;
        const wave = Math.sin(at * 6.4 + seed) * swing + Math.sin(at * 15 + seed * 3) * swing * 0.22;
        const tall = height * (0.62 + 0.38 * Math.sin(at * 9 + seed * 2) * grain(i + seed));
        // Both ends of a curtain dissolve.
        const ends = Math.sin(Math.PI * Math.min(1, Math.max(0, at))) ** 0.7;
        const strength = ends * (0.24 + 0.3 * grain(i * 3 + seed));
        const left = (x + i * step).toFixed(1);
        return (
          <rect
            key={left}
            x={left}
            y={(y + wave - tall).toFixed(1)}
            width={(step * 2.4).toFixed(1)}
            height={tall.toFixed(1)}
            fill={`url(#${fade})`}
            opacity={strength.toFixed(2)}
          />
        );
      })}
    </g>
  );
}

/** Stars spread over the upper part of a drawing. */
export function Stars({ count, width, height, seed }: { count: number; width: number; height: number; seed: number }) {
  return (
    <g fill="#fff">
      {Array.from({ length: count }, (_, i) => {
        const x = (grain(i + seed) * width).toFixed(1);
        const y = (grain(i * 7 + seed) ** 1.4 * height).toFixed(1);
        return (
          <circle
            key={`${x} ${y}`}
            cx={x}
            cy={y}
            r={(0.5 + grain(i * 5 + seed) * 1.1).toFixed(2)}
            opacity={(0.25 + grain(i * 11 + seed) * 0.6).toFixed(2)}
          />
        );
      })}
    </g>
  );
}
