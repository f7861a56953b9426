/** Keeps what is typed into a form until it is saved or given up, and finds what an earlier visit left there. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { User } from "./api-types";
import { forgetText, keepText, leftText, type Place } from "./kept-text";
import { keys } from "./queries";
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
  /** Null once it was continued or discarded. */
  readonly offer: Offer<Value> | null;
  /** Removes the offered text: it is in the form now, or the person doesn't want it. */
  readonly endOffer: () => void;
  /** Replaces what this visit kept; null when the form differs in nothing from what is saved. */
  readonly keep: (value: Value | null) => void;
  /** Call it when the form was saved or given up. An offer without an answer stays for the next visit. */
  readonly forget: () => void;
}

/**
 * `place` is null while the form is closed. `parse` returns what the form can take of a stored value, or null: the value may
 * come from an older version of the dashboard, and what it belongs to may have changed.
 */
export function useKeptText<Value>(place: FormPlace | null, parse: (stored: unknown) => Value | null): KeptText<Value> {
  const client = useQueryClient();
  const name = place === null ? null : JSON.stringify([place.project, place.form, place.id]);
  const begin = () => {
    const user = (client.getQueryData<User>(keys.me) ?? storedUser())?._id;
    // Without a person nothing is kept.
    if (place === null || user === undefined) return new Visit<Value>(name, null, parse);
    return new Visit<Value>(name, { project: "", id: "", ...place, user }, parse);
  };
  const [visit, setVisit] = useState(begin);
  const [answered, setAnswered] = useState<Visit<Value> | null>(null);
  if (visit.name !== name) setVisit(begin());
  return {
    offer: answered === visit ? null : visit.offer,
    endOffer: () => {
      visit.endOffer();
      setAnswered(visit);
    },
    keep: visit.keep,
    forget: visit.forget,
  };
}

/** One opening of a form. */
class Visit<Value> {
  readonly name: string | null;
  readonly offer: Offer<Value> | null;
  readonly #place: Place | null;
  readonly #id = randomId();
  readonly #offeredBy: string | undefined;

  constructor(name: string | null, place: Place | null, parse: (stored: unknown) => Value | null) {
    const left = place === null ? null : leftText(place, this.#id);
    const value = left === null ? null : parse(left.value);
    this.name = name;
    this.offer = left === null || value === null ? null : { value, at: new Date(left.at).toISOString() };
    this.#place = place;
    this.#offeredBy = left?.visit;
  }

  keep = (value: Value | null): void => {
    if (this.#place === null) return;
    if (value === null) forgetText(this.#place, this.#id);
    else keepText(this.#place, this.#id, value);
  };

  forget = (): void => this.keep(null);

  endOffer = (): void => {
    if (this.#place !== null && this.#offeredBy !== undefined) forgetText(this.#place, this.#offeredBy);
  };
}

/** Keeps the value after each change. It must be plain JSON. */
export function useKeepTyped<Value>({ keep }: KeptText<Value>, value: Value | null): void {
  const json = value === null ? null : JSON.stringify(value);
  useEffect(() => {
    keep(json === null ? null : (JSON.parse(json) as Value));
  }, [keep, json]);
}
