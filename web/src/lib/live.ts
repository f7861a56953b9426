/** Live refresh of an open project: its pages follow what colleagues change, and it says who is there. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LiveChanges } from "./live-changes";
import { type Person, peopleOf } from "./live-events";
import { shareStream } from "./live-share";
import { storedUser } from "./session";

export type { Person };

export interface Live {
  /** Everybody who looks at the project, oneself included. */
  people: readonly Person[];
  /** False while the connection is away; what is shown may be old then. */
  isConnected: boolean;
}

/** Follows a project while the component is shown. */
export function useLive(projectId: string): Live {
  const client = useQueryClient();
  const [people, setPeople] = useState<readonly Person[]>([]);
  const [isConnected, setConnected] = useState(true);
  useEffect(() => {
    const me = storedUser()?._id;
    const changes = new LiveChanges(client, projectId, me);
    const stop = shareStream(`livery-live:${me ?? ""}:${projectId}`, projectId, {
      onEvent: (event) => {
        if (event.name === "presence") setPeople(peopleOf(event.data));
        else changes.take(event);
      },
      onConnection: setConnected,
    });
    return () => {
      stop();
      changes.stop();
    };
  }, [client, projectId]);
  return { people, isConnected };
}
