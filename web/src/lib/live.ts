/** Live refresh of an open project: its pages follow what colleagues change, and it shows who is there. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LiveChanges } from "./live-changes";
import { type Person, peopleOf } from "./live-events";
import { forgetTouched } from "./live-marks";
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
    const changes = new LiveChanges(client, projectId);
    const stop = shareStream(`livery-live:${storedUser()?._id ?? ""}:${projectId}`, projectId, {
      onEvent: (event) => {
        if (event.name === "presence") setPeople(peopleOf(event.data));
        else changes.take(event);
      },
      onConnection: setConnected,
    });
    return () => {
      stop();
      changes.stop();
      forgetTouched();
    };
  }, [client, projectId]);
  return { people, isConnected };
}
