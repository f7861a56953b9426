import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from "react";
import { whenIdle } from "@/lib/when-idle";
import { ErrorState } from "./states";

/**
 * A part that a page does not begin with, such as the form behind a button. `useFetched` fetches its code once the browser
 * is idle, so that `Part` is there at once when it is asked for. `fallback` holds its place for who is faster than
 * that. A part with `opened={false}` reports no failure; its code is fetched again when it opens.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode | ((props: Props) => ReactNode),
) {
  let loaded: ComponentType<Props> | null = null;
  const fetch = async () => {
    loaded ??= await load();
    return loaded;
  };

  function Part(props: Props): ReactNode {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [isFailed, setFailed] = useState(false);
    const show = useCallback((isAsked = true) => {
      setFailed(false);
      fetch().then(
        (component) => setLoaded(() => component),
        () => setFailed(isAsked),
      );
    }, []);
    const isClosed = "opened" in props && props.opened === false;
    useEffect(() => {
      if (Loaded === null) show(!isClosed);
    }, [Loaded, show, isClosed]);
    if (Loaded !== null) return <Loaded {...props} />;
    const place = typeof fallback === "function" ? fallback(props) : fallback;
    return isFailed ? <ErrorState message="This could not be loaded." onRetry={() => show()} /> : place;
  }

  function useFetched(): void {
    useEffect(() => {
      whenIdle(() => {
        fetch().catch(() => {
          // It is asked for again when it is shown.
        });
      });
    }, []);
  }

  return { Part, useFetched };
}
