// Two pages by the address's hash: `#/checkout/<trip>`, and the home page for everything else (`#trips` and `#saved` are places on it).

import { useEffect, useRef, useSyncExternalStore } from "react";
import { findTrip, type Trip, type TripId } from "./trips";

export type Route = { page: "home"; place: string } | { page: "checkout"; trip: Trip };

export function checkoutHref(trip: TripId): string {
  return `#/checkout/${trip}`;
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(onHashChange, () => location.hash);
  const route = parse(hash);
  const shown = useRef(route.page);

  // The browser scrolls to places on a page that is shown; after a change of page, that is ours to do.
  useEffect(() => {
    if (shown.current === route.page) return;
    shown.current = route.page;
    const place = route.page === "home" ? document.getElementById(route.place) : null;
    if (place) place.scrollIntoView();
    else scrollTo(0, 0);
    document.getElementById("content")?.focus({ preventScroll: true });
  });

  return route;
}

function parse(hash: string): Route {
  const [, id] = /^#\/checkout\/(\w+)$/.exec(hash) ?? [];
  const trip = id === undefined ? undefined : findTrip(id);
  return trip ? { page: "checkout", trip } : { page: "home", place: hash.slice(1) };
}

function onHashChange(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
