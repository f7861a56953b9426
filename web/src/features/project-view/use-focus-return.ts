import { useEffect } from "react";
import { focusInPlace, isDialogOpen, isFocusLost } from "@/ui/focus";

/** Brings the focus back to the cell or button in which Ctrl/⌘ Enter was pressed, once the dialog it opened is gone. */
export function useFocusReturn(): void {
  useEffect(() => {
    let observer: MutationObserver | undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      const { activeElement } = document;
      if (!(activeElement instanceof HTMLElement) || isDialogOpen()) return;
      // The editor in a cell closes: its cell stays.
      const origin = activeElement.closest<HTMLElement>("[data-column]") ?? activeElement;
      let wasOpen = false;
      observer?.disconnect();
      observer = new MutationObserver((_, self) => {
        const isOpen = isDialogOpen();
        if (wasOpen && !isOpen) {
          self.disconnect();
          if (isFocusLost()) focusInPlace(origin);
        }
        wasOpen = isOpen;
      });
      observer.observe(document.body, { childList: true, subtree: true });
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => {
      window.removeEventListener("keydown", onKeyDown, { capture: true });
      observer?.disconnect();
    };
  }, []);
}
