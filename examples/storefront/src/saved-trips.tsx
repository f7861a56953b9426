import { checkoutHref } from "./route";
import { TripScene } from "./scenes/trip-scenes";
import type { Shopper } from "./shopper";
import { Text } from "./text";
import { findTrip } from "./trips";

export function SavedTrips({ shopper }: { shopper: Shopper }) {
  const trips = shopper.saved.flatMap((id) => findTrip(id) ?? []);
  return (
    <section className="band" id="saved">
      <div className="band-head">
        <h2>
          <Text id="general.nav_saved" />
        </h2>
        <p className="muted">
          <Text id="home.saved_count" values={{ count: trips.length }} />
        </p>
      </div>
      {trips.length === 0 ? (
        <p className="empty">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 20.3C5.6 15.9 3 12.5 3 8.9 3 6.1 5.2 4 7.8 4c1.7 0 3.3.9 4.2 2.4C12.9 4.9 14.5 4 16.2 4 18.8 4 21 6.1 21 8.9c0 3.6-2.6 7-9 11.4z" />
          </svg>
          <Text id="home.empty_saved" />
        </p>
      ) : (
        <ul className="saved">
          {trips.map((trip) => (
            <li key={trip.id}>
              <a href={checkoutHref(trip.id)}>
                <TripScene trip={trip.id} />
                <Text id={trip.placeKey} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
