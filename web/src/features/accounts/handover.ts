/** Values that an account page receives from the previous page's state, or from the fragment of a mail's link. */
import { useLocation } from "react-router";
import type { z } from "@/lib/zod";
import type { registerSchema } from "./schemas";

type SignUp = z.infer<typeof registerSchema>;

export interface Handover {
  /** Words to show. */
  notice?: string;
  email?: string;
  /** The token of the invitation that led here. */
  invitation?: string;
  /** The sign-up is repeated with another address. */
  changesAddress?: boolean;
}

/** Reads `#email=` too: a fragment is never sent to a server, so no log has the address. */
export function useHandover(): Handover {
  const { state, hash }: { state: unknown; hash: string } = useLocation();
  const linked = new URLSearchParams(hash.slice(1)).get("email");
  const given: Handover = typeof state === "object" && state !== null ? state : {};
  // An empty address is no address: the page begins with its field.
  const email = (typeof given.email === "string" && given.email) || linked;
  return {
    ...(typeof given.notice === "string" ? { notice: given.notice } : {}),
    ...(email ? { email } : {}),
    ...(typeof given.invitation === "string" ? { invitation: given.invitation } : {}),
    changesAddress: given.changesAddress === true,
  };
}

let lastSignUp: SignUp | null = null;

/** Keeps the sign-up in memory until the next login, for somebody who mistyped the address. A password is never written to the history. */
export function keepSignUp(signUp: SignUp | null): void {
  lastSignUp = signUp;
}

export const keptSignUp = (): SignUp | null => lastSignUp;
