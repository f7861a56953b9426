/** Keeps what is typed into a form until it is saved or given up, and finds what an earlier visit left there. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { forgetText, keepText, leftTexts, type Place } from "./kept-text";
import { hold, whenFree } from "./locks";
import { meQuery } from "./queries";
import { randomId } from "./random-id";
import { storedUser } from "./session";

/** The form, the project that it belongs to, and the id of what it edits; no id for something new. */
export interface FormPlace {
  readonly form: string;
  readonly project?: string;
  readonly id?: string;
}

/** What an earlier visit left. */
export interface Offer<Value> {
  readonly value: Value;
  /** RFC 3339. */
  readonly at: string;
}

export interface KeptText<Value> {
  /** Null once it was continued or discarded, or the person wrote something different. */
  readonly offer: Offer<Value> | null;
  /** Removes the offered text: it is in the form now, or the person doesn't want it. */
  readonly endOffer: () => void;
  /** Replaces what this visit kept; null when the form differs in nothing from what is saved. */
  readonly keep: (value: Value | null) => void;
  /** Call it when the form was saved or given up. An offer without an answer stays for the next visit. */
  readonly forget: () => void;
}

/**
 * `place` is null while the form is closed. `parse` returns what the form can take of a stored value, or null. The
 * value may come from an older version of the dashboard, and what it belongs to may have changed.
 */
export function useKeptText<Value>(place: FormPlace | null, parse: (stored: unknown) => Value | null): KeptText<Value> {
  const client = useQueryClient();
  const name = place === null ? null : JSON.stringify([place.project, place.form, place.id]);
  const begin = () => {
    const user = (client.getQueryData(meQuery.queryKey) ?? storedUser())?._id;
    // Without a person nothing is kept.
    if (place === null || user === undefined) return new Visit<Value>(name, null, parse);
    return new Visit<Value>(name, { project: "", id: "", ...place, user }, parse);
  };
  const [visit, setVisit] = useState(begin);
  const [found, setFound] = useState<{ visit: Visit<Value>; offer: Offer<Value> | null } | null>(null);
  if (visit.name !== name) setVisit(begin());
  useEffect(() => visit.start((offer) => setFound({ visit, offer })), [visit]);
  return {
    offer: found?.visit === visit ? found.offer : null,
    endOffer: visit.endOffer,
    keep: visit.keep,
    forget: visit.forget,
  };
}

const lockOf = (visit: string) => `livery-kept:${visit}`;

/** One opening of a form. From the first text that it keeps to its end it holds a lock, so that no other tab offers the text. */
class Visit<Value> {
  readonly name: string | null;
  readonly #place: Place | null;
  readonly #parse: (stored: unknown) => Value | null;
  readonly #id = randomId();
  #ended = new AbortController();
  #holds: AbortController | null = null;
  #offeredBy: string | null = null;
  /** Whether the form has had text of its own, or the offer an answer. Either ends the offers of this visit. */
  #isUsed = false;
  #show: (offer: Offer<Value> | null) => void = () => {};

  constructor(name: string | null, place: Place | null, parse: (stored: unknown) => Value | null) {
    this.name = name;
    this.#place = place;
    this.#parse = parse;
  }

  /** Offers the newest text whose visit has ended. Returns the function that ends this visit. */
  start(show: (offer: Offer<Value> | null) => void): () => void {
    const place = this.#place;
    if (place === null) return () => {};
    const ended = new AbortController();
    const { signal } = ended;
    this.#ended = ended;
    this.#show = show;
    const free = new Set<string>();
    for (const { visit } of leftTexts(place, this.#id)) {
      whenFree(lockOf(visit), signal, () => {
        free.add(visit);
        if (signal.aborted || this.#isUsed) return;
        const left = leftTexts(place, this.#id).find((text) => free.has(text.visit));
        const value = left === undefined ? null : this.#parse(left.value);
        if (left === undefined || value === null) return;
        this.#offeredBy = left.visit;
        show({ value, at: new Date(left.at).toISOString() });
      });
    }
    return () => ended.abort();
  }

  keep = (value: Value | null): void => {
    if (this.#place === null) return;
    if (value === null) {
      forgetText(this.#place, this.#id);
      return;
    }
    this.#endOffers();
    if (this.#holds !== this.#ended) hold(lockOf(this.#id), this.#ended.signal);
    this.#holds = this.#ended;
    keepText(this.#place, this.#id, value);
  };

  forget = (): void => this.keep(null);

  endOffer = (): void => {
    if (this.#place !== null && this.#offeredBy !== null) forgetText(this.#place, this.#offeredBy);
    this.#endOffers();
  };

  #endOffers(): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.#show(null);
  }
}

/** Keeps the value after each change. It must be plain JSON. */
export function useKeepTyped<Value>({ keep }: KeptText<Value>, value: Value | null): void {
  const json = value === null ? null : JSON.stringify(value);
  useEffect(() => {
    keep(json === null ? null : (JSON.parse(json) as Value));
  }, [keep, json]);
}
