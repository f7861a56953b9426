import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { look } from "@/ui/look";
import classes from "./tagline.module.css";

export const TAGLINES = [
  "Manage UI content dynamically, with no rebuilds",
  "Real-time sync with zero build delays",
  "AI-powered localization",
  "Empower UI teams. Built for developers and designers",
] as const;

export const ROTATION_MS = 4000;

/** Four messages in turn, each for 4 s, fading for 0.4 s. Rests under the pointer, and always where less motion is wished. */
export function Tagline() {
  const [index, setIndex] = useState(0);
  const [resting, setResting] = useState(false);
  const still = useMediaQuery("(prefers-reduced-motion: reduce)", false, { getInitialValueInEffect: false });
  useEffect(() => {
    if (resting || still) return;
    const timer = setInterval(() => setIndex((shown) => (shown + 1) % TAGLINES.length), ROTATION_MS);
    return () => clearInterval(timer);
  }, [resting, still]);
  return (
    <p
      className={look({ layout: "grid", size: "lead", balance: true }, classes["tagline"])}
      onPointerEnter={() => setResting(true)}
      onPointerLeave={() => setResting(false)}
    >
      {TAGLINES.map((text, place) => (
        <span key={text} data-shown={place === index || undefined} aria-hidden={place !== index}>
          {text}
        </span>
      ))}
    </p>
  );
}
