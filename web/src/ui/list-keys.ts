/** Returns the element of a list to which a key leads from `from`; undefined for other keys, and at the ends. */
export function stepIn<E extends Element>(list: readonly E[], from: Element | null, key: string): E | undefined {
  const at = list.indexOf(from as E);
  const places: Partial<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 };
  return at < 0 ? undefined : list[places[key] ?? -1];
}
