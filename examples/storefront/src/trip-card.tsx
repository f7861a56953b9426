import { useLanguage, useT } from "@livery/react";
import { price } from "./format";
import { checkoutHref } from "./route";
import { TripScene } from "./scenes/trip-scenes";
import { Text } from "./text";
import type { Trip } from "./trips";

interface TripCardProps {
  trip: Trip;
  isSaved: boolean;
  onToggleSaved: () => void;
}

export function TripCard({ trip, isSaved, onToggleSaved }: TripCardProps) {
  const { language } = useLanguage();
  const t = useT();
  const placeId = `place-${trip.id}`;
  return (
    <li className="card">
      <div className="card-picture">
        <TripScene trip={trip.id} />
        <button
          type="button"
          className="heart"
          aria-pressed={isSaved}
          aria-label={t("general.button_save", { place: t(trip.placeKey) })}
          onClick={onToggleSaved}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 20.3C5.6 15.9 3 12.5 3 8.9 3 6.1 5.2 4 7.8 4c1.7 0 3.3.9 4.2 2.4C12.9 4.9 14.5 4 16.2 4 18.8 4 21 6.1 21 8.9c0 3.6-2.6 7-9 11.4z" />
          </svg>
        </button>
      </div>
      <div className="card-words">
        <h3 id={placeId}>
          <Text id={trip.placeKey} />
        </h3>
        <p className="card-text">
          <Text id={trip.textKey} />
        </p>
        <div className="card-foot">
          <p className="price">
            <Text id="home.price_from" values={{ price: price(language, trip.price) }} />
          </p>
          <a className="button" href={checkoutHref(trip.id)} aria-describedby={placeId}>
            <Text id="general.button_book" />
          </a>
        </div>
      </div>
    </li>
  );
}
