import { useEffect } from "react";
import { useLocation } from "react-router";
import { focusPageIfLost } from "@/ui/focus-page";

/**
 * Puts the focus on the page after each change of page. Exceptions: the page chose a place itself, or the link that
 * opened it is still there.
 */
export function usePageFocus(): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the address asks again.
  useEffect(() => {
    // Later than what the page itself does with the focus.
    const timer = setTimeout(focusPageIfLost);
    return () => clearTimeout(timer);
  }, [pathname]);
}
