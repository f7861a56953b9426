// Who is shopping and what they keep, remembered on this device.

import { useState } from "react";
import { recall, remember } from "./storage";
import { findTrip, type TripId } from "./trips";

export interface Shopper {
  /** As typed; may be blank. */
  typedName: string;
  /** Never blank: the name in the greeting. */
  name: string;
  saved: readonly TripId[];
  rename: (name: string) => void;
  toggleSaved: (trip: TripId) => void;
}

const FIRST_NAME = "Mira";

export function useShopper(): Shopper {
  const [typedName, setTypedName] = useState(() => recall("name") ?? FIRST_NAME);
  const [saved, setSaved] = useState(recallSaved);
  return {
    typedName,
    name: typedName.trim() || FIRST_NAME,
    saved,
    rename: (name) => {
      setTypedName(name);
      remember("name", name);
    },
    toggleSaved: (trip) => {
      const next = saved.includes(trip) ? saved.filter((id) => id !== trip) : [...saved, trip];
      setSaved(next);
      remember("saved", next.join(" "));
    },
  };
}

function recallSaved(): TripId[] {
  const ids = new Set((recall("saved") ?? "").split(" "));
  return [...ids].flatMap((id) => findTrip(id)?.id ?? []);
}
