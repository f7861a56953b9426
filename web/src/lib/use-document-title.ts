import { useEffect } from "react";

/** Names the browser tab '{title} · Livery' while the component is shown. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Livery" : `${title} · Livery`;
  }, [title]);
}
