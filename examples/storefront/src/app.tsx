import { LiveryProvider, useLanguage, useLivery, useText } from "@livery/react";
import { useEffect, useLayoutEffect, useSyncExternalStore } from "react";
import { Checkout } from "./checkout";
import { Footer } from "./footer";
import { Header } from "./header";
import { Home } from "./home";
import { useRoute } from "./route";
import type { Session } from "./session";
import { useShopper } from "./shopper";
import { StatusChip } from "./status-chip";
import { Text } from "./text";
import { followColors } from "./theme";

export function App({ session }: { session: Session }) {
  const client = useSyncExternalStore(session.subscribe, session.getClient);
  return (
    <LiveryProvider client={client}>
      <Page onLanguage={session.switchLanguage} />
    </LiveryProvider>
  );
}

/** No link: the hash is the route, and following one would leave the checkout. */
function skipToContent() {
  document.getElementById("content")?.focus();
}

function Page({ onLanguage }: { onLanguage: (language: string) => void }) {
  const client = useLivery();
  const route = useRoute();
  const shopper = useShopper();
  const { language, direction } = useLanguage();

  useLayoutEffect(() => followColors(client), [client]);
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = direction;
  }, [language, direction]);

  const title = `Aurora Travel – ${useText("home.welcome_subtitle")}`;
  useEffect(() => {
    document.title = title;
  }, [title]);

  return (
    <>
      <button type="button" className="skip" onClick={skipToContent}>
        <Text id="general.skip_to_content" />
      </button>
      <Header isOverSky={route.page === "home"} savedCount={shopper.saved.length} onLanguage={onLanguage} />
      <main id="content" tabIndex={-1}>
        {route.page === "checkout" ? (
          <Checkout key={route.trip.id} trip={route.trip} shopper={shopper} />
        ) : (
          <Home shopper={shopper} />
        )}
      </main>
      <Footer />
      <StatusChip />
    </>
  );
}
