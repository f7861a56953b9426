// The three journeys of the shop. Their words are texts in Livery; what is counted and drawn is here.

export type TripId = "lofoten" | "wadirum" | "kyoto";

export interface Trip {
  readonly id: TripId;
  readonly placeKey: string;
  readonly textKey: string;
  /** Euros per person. */
  readonly price: number;
  /** Days from today until which cancelling is free. */
  readonly cancelDays: number;
}

export const TRIPS: readonly Trip[] = [
  { id: "lofoten", placeKey: "home.trip_lofoten_place", textKey: "home.trip_lofoten_text", price: 890, cancelDays: 30 },
  { id: "wadirum", placeKey: "home.trip_wadirum_place", textKey: "home.trip_wadirum_text", price: 640, cancelDays: 21 },
  { id: "kyoto", placeKey: "home.trip_kyoto_place", textKey: "home.trip_kyoto_text", price: 1280, cancelDays: 45 },
];

export function findTrip(id: string): Trip | undefined {
  return TRIPS.find((trip) => trip.id === id);
}
