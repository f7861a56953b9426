import { useLanguage, useStore } from "@livery/react";
import { useState } from "react";
import { isServedByLivery } from "./connection";
import { calendarDay, day, price } from "./format";
import { RichText } from "./rich-text";
import { Text } from "./text";

/** The items of the store `destinations`, in the dashboard's order. Without any, or without network, the page does without them. */
export function Departures() {
  const items = useStore("destinations");
  if (!items || items.length === 0) return null;
  return (
    <section className="band" id="departures">
      <h2>
        <Text id="home.departures_title" />
      </h2>
      <ul className="departures">
        {items.map((item) => (
          <Departure key={item._id} departure={readDeparture(item)} />
        ))}
      </ul>
    </section>
  );
}

interface Departure {
  place: string;
  story: string;
  price: number | undefined;
  from: string | undefined;
  isForFamilies: boolean;
  photo: string | undefined;
}

/** A store is made of whatever somebody made it of: what has another type than expected counts as missing. */
function readDeparture({ place, story, price, from, families, photo }: Readonly<Record<string, unknown>>): Departure {
  return {
    place: typeof place === "string" ? place : "",
    story: typeof story === "string" ? story : "",
    price: typeof price === "number" ? price : undefined,
    from: typeof from === "string" && /^\d{4}-\d{2}-\d{2}$/.test(from) ? from : undefined,
    isForFamilies: families === true,
    photo: typeof photo === "string" && isServedByLivery(photo) ? photo : undefined,
  };
}

function Departure({ departure }: { departure: Departure }) {
  const { language } = useLanguage();
  return (
    <li className="departure">
      <Picture photo={departure.photo} from={departure.from} />
      <div className="departure-words">
        <h3>{departure.place}</h3>
        {departure.story !== "" && <RichText html={departure.story} />}
      </div>
      <div className="departure-facts">
        {departure.from !== undefined && <time dateTime={departure.from}>{day(language, departure.from)}</time>}
        {departure.price !== undefined && (
          <p className="price">
            <Text id="home.price_from" values={{ price: price(language, departure.price) }} />
          </p>
        )}
        {departure.isForFamilies && (
          <p className="families">
            <Text id="home.departures_families" />
          </p>
        )}
      </div>
    </li>
  );
}

/** The photo of the item; without a photo, a leaf of the calendar. */
function Picture({ photo, from }: Pick<Departure, "photo" | "from">) {
  const { language } = useLanguage();
  const [failed, setFailed] = useState<string>();
  if (photo !== undefined && photo !== failed) {
    return <img className="departure-picture" src={photo} alt="" loading="lazy" onError={() => setFailed(photo)} />;
  }
  const leaf = from === undefined ? undefined : calendarDay(language, from);
  return (
    <div className="departure-picture leaf" aria-hidden="true">
      {leaf && (
        <>
          <b>{leaf.number}</b>
          <span>{leaf.month}</span>
        </>
      )}
    </div>
  );
}
