import { Departures } from "./departures";
import { SavedTrips } from "./saved-trips";
import { HeroScene } from "./scenes/hero-scene";
import type { Shopper } from "./shopper";
import { Text } from "./text";
import { TripCard } from "./trip-card";
import { TRIPS } from "./trips";

export function Home({ shopper }: { shopper: Shopper }) {
  return (
    <>
      <section className="hero">
        <HeroScene />
        <div className="hero-words">
          <h1>
            <Text id="home.welcome_title" values={{ name: shopper.name }} />
          </h1>
          <p>
            <Text id="home.welcome_subtitle" />
          </p>
          <a className="button button-accent" href="#trips">
            <Text id="home.cta_explore" />
          </a>
        </div>
      </section>

      <section className="band" id="trips">
        <h2>
          <Text id="home.trips_title" />
        </h2>
        <ul className="trips">
          {TRIPS.map((trip) => (
            <TripCard
              key={trip.id}
              trip={trip}
              isSaved={shopper.saved.includes(trip.id)}
              onToggleSaved={() => shopper.toggleSaved(trip.id)}
            />
          ))}
        </ul>
      </section>

      <Departures />
      <SavedTrips shopper={shopper} />
    </>
  );
}
