/** The window events by which the parts of the dashboard inform each other. The specification has their names and details. */
interface WindowEvents {
  /** The credit balance changed. */
  userCreditsUpdated: { credits: number };
  /** Another project was opened. */
  currentProjectChanged: { id: string };
  /** A project's own record changed (name, screens, tier, published state). */
  projectUpdated: { projectId: string };
  /** Texts or colours changed. Only translation-events.ts announces it. */
  translationsUpdated: { projectId: string; screen: string };
}

type Announced = Exclude<keyof WindowEvents, "translationsUpdated">;

export function announce<Name extends Announced>(name: Name, detail: WindowEvents[Name]): void {
  window.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Returns the unsubscribe function. */
export function listen<Name extends keyof WindowEvents>(
  name: Name,
  listener: (detail: WindowEvents[Name]) => void,
): () => void {
  const handler = (event: Event) => {
    if (event instanceof CustomEvent) listener(event.detail as WindowEvents[Name]);
  };
  window.addEventListener(name, handler);
  return () => window.removeEventListener(name, handler);
}
