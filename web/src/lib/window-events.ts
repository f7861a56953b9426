/** The window events the parts of the dashboard tell each other things by; names and details are part of the specification. */
interface WindowEvents {
  /** The credit balance changed. */
  userCreditsUpdated: { credits: number };
  /** Another project was opened. */
  currentProjectChanged: { id: string };
  /** A project's own record changed (name, screens, tier, published state). */
  projectUpdated: { projectId: string };
  /** Texts changed: a screen's name, or one of the marks `__UNPUBLISHED__`, `__UNPUBLISHED_COLORS__`, `colors`, `__ALL__`. */
  translationsUpdated: { projectId: string; screen: string };
}

export function announce<Name extends keyof WindowEvents>(name: Name, detail: WindowEvents[Name]): void {
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
