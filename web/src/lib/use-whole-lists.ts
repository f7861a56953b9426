/** Long lists of a comparison. The server gives their first changes; the rest of a list comes on request. */
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { messageOf } from "./api";

/** A section is `screen/{name}` or `store/{apiIdentifier}`. */
export interface WholeLists {
  ask: (section: string) => void;
  /** The sections that came. */
  shown: readonly string[];
  /** The section that is on its way. */
  asking: string | null;
  /** The section that did not come, and why. */
  failure: { readonly section: string; readonly text: string } | null;
}

const none: readonly string[] = [];

/**
 * Returns the long lists of the comparison that `of` identifies. When `of` changes, nothing was asked yet. `fetchWith`
 * resolves to the comparison with these sections whole; `onCome` is called with it.
 */
export function useWholeLists<Comparison>(
  of: unknown,
  fetchWith: (sections: string[]) => Promise<Comparison>,
  onCome: (comparison: Comparison) => void,
): WholeLists {
  const [came, setCame] = useState({ of, sections: none });
  const shown = came.of === of ? came.sections : none;
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: (section: string) => fetchWith([...shown, section]),
    onSuccess: (comparison, section) => {
      setCame({ of, sections: [...shown, section] });
      onCome(comparison);
    },
  });
  // The same object while nothing of it changes: long comparisons are not drawn again.
  return useMemo(
    () => ({
      ask: mutate,
      shown,
      asking: isPending ? variables : null,
      failure:
        error === null || variables === undefined
          ? null
          : { section: variables, text: messageOf(error, "Failed to load the rest.", "The server can't be reached.") },
    }),
    [mutate, shown, isPending, variables, error],
  );
}
