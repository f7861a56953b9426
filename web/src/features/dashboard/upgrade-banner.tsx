import { CloseButton } from "@mantine/core";
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { Notice } from "@/ui/notice";

const SHOWN_MS = 4000;

/** Shown when a purchase led here (`?upgraded=true`): for four seconds, or until it is closed. */
export function UpgradeBanner() {
  const [search, setSearch] = useSearchParams();
  const isShown = search.get("upgraded") === "true";
  const close = () => {
    setSearch(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete("upgraded");
        return rest;
      },
      { replace: true },
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer starts when the banner appears, not on every render.
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isShown]);

  if (!isShown) return null;
  return (
    <Notice tone="ok" action={<CloseButton size="sm" aria-label="Close" onClick={close} />}>
      Thank you. Credits appear as soon as the payment is confirmed.
    </Notice>
  );
}
