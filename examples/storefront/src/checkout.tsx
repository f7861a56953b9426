import { useLanguage, useT } from "@livery/react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { dayFromNow, price } from "./format";
import { TripScene } from "./scenes/trip-scenes";
import type { Shopper } from "./shopper";
import { Text } from "./text";
import { TravellerStepper } from "./traveller-stepper";
import type { Trip } from "./trips";

export function Checkout({ trip, shopper }: { trip: Trip; shopper: Shopper }) {
  const [travellers, setTravellers] = useState(2);
  const [isBooked, setBooked] = useState(false);
  const nameId = useId();

  const confirm = (event: FormEvent) => {
    event.preventDefault();
    setBooked(true);
  };

  return (
    <div className="checkout">
      <div className="checkout-main">
        <a className="back" href="#trips">
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M10 3 5 8l5 5" />
          </svg>
          <Text id="general.button_back" />
        </a>
        {isBooked ? (
          <Booked trip={trip} name={shopper.name} travellers={travellers} />
        ) : (
          <form onSubmit={confirm}>
            <h1>
              <Text id="checkout.title" />
            </h1>
            <div className="field">
              <label htmlFor={nameId}>
                <Text id="checkout.name_label" />
              </label>
              <input
                id={nameId}
                value={shopper.typedName}
                onChange={(event) => shopper.rename(event.target.value)}
                autoComplete="given-name"
                maxLength={60}
                dir="auto"
                required
              />
            </div>
            <TravellerStepper count={travellers} onChange={setTravellers} />
            <button type="submit" className="button button-wide">
              <Text id="checkout.button_confirm" />
            </button>
            <p className="muted pay-note">
              <Text id="checkout.pay_note" />
            </p>
          </form>
        )}
      </div>
      <Summary trip={trip} travellers={travellers} />
    </div>
  );
}

function Summary({ trip, travellers }: { trip: Trip; travellers: number }) {
  const { language } = useLanguage();
  return (
    <aside className="summary">
      <TripScene trip={trip.id} />
      <div className="summary-words">
        <h2>
          <Text id={trip.placeKey} />
        </h2>
        <p className="muted">
          <Text id={trip.textKey} />
        </p>
        <p className="promise">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="m4 10.5 4 4 8-9" />
          </svg>
          <Text id="checkout.free_cancellation" values={{ date: dayFromNow(language, trip.cancelDays) }} />
        </p>
        <dl className="total">
          <dt>
            <Text id="checkout.total" />
            <small>
              <Text id="checkout.traveller_count" values={{ count: travellers }} />
            </small>
          </dt>
          <dd>{price(language, trip.price * travellers)}</dd>
        </dl>
      </div>
    </aside>
  );
}

function Booked({ trip, name, travellers }: { trip: Trip; name: string; travellers: number }) {
  const t = useT();
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="booked">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="24" className="booked-disc" />
        <path d="m14 25 7 7 14-16" className="booked-tick" />
      </svg>
      <h1 ref={heading} tabIndex={-1}>
        <Text id="checkout.success_title" values={{ name }} />
      </h1>
      <p>
        <Text
          id="checkout.success_text"
          values={{ place: t(trip.placeKey), travellers: t("checkout.traveller_count", { count: travellers }) }}
        />
      </p>
    </div>
  );
}
