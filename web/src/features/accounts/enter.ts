import type { QueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import type { Answer } from "@/lib/api-types";
import { keepDevice } from "@/lib/devices";
import { noteSessionEnd } from "@/lib/ended-session";
import { meQuery } from "@/lib/queries";
import { startSession } from "@/lib/session";
import { keepSignUp } from "./handover";

/** Begins the session of who just logged in, with nothing left of who was here before. */
export function enter(
  queryClient: QueryClient,
  { token, user, device }: Answer<"/api/auth/login", "post">,
  { remember }: { remember: boolean },
): void {
  if (remember) keepDevice(user.email, device);
  queryClient.clear();
  startSession(token, user, { remember });
  noteSessionEnd(null);
  keepSignUp(null);
  toast.dismiss("session");
  queryClient.setQueryData(meQuery.queryKey, user);
}
