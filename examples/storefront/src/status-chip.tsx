import { useLivery, useLiveryState } from "@livery/react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Text } from "./text";

type Status = "live" | "connecting" | "offline";

/** Longer than a good connection takes, shorter than a reader wonders. */
const PATIENCE_MS = 2_000;

/** Shows what the texts on screen are worth: in step with the server, on the way there, or saved. */
export function StatusChip() {
  const status = useStatus();
  const release = useRelease();
  return (
    <div className="status" role="status" data-status={status}>
      <span className="status-dot" aria-hidden="true" />
      <Text id={`general.status_${status}`} />
      {release !== undefined && release > 0 && (
        <span className="status-release" key={release}>
          <Text id="general.status_release" values={{ number: release }} />
        </span>
      )}
    </div>
  );
}

function useStatus(): Status {
  const isLive = useLiveryState() === "live";
  const [isPatient, setPatient] = useState(true);

  useEffect(() => {
    if (isLive) {
      setPatient(true);
      return;
    }
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isLive]);

  if (isLive) return "live";
  return isPatient ? "connecting" : "offline";
}

/** Returns the number of the release shown; undefined for a draft, which has no number yet. */
function useRelease(): number | undefined {
  const client = useLivery();
  return useSyncExternalStore(client.subscribe, () => (client.preview ? undefined : client.snapshot?.release));
}
