import { useImage, useLivery } from "@livery/react";
import { useState, useSyncExternalStore } from "react";

/** The logo, as it is in the image library now, and the name of the shop. */
export function Brand() {
  const client = useLivery();
  // The bundled content has no version and no images: asking it for the logo would warn of a missing image.
  const isFromServer = useSyncExternalStore(client.subscribe, () => client.snapshot?.version !== undefined);
  return (
    <>
      {isFromServer ? <Logo /> : <Mark />}
      <span>Aurora Travel</span>
    </>
  );
}

/** Its size is known before it is here, so that nothing moves. Without a logo or a network, the drawn mark is shown. */
function Logo() {
  const logo = useImage("logo_primary");
  const [failed, setFailed] = useState<string>();
  if (!logo || logo.url === failed) return <Mark />;
  return (
    <img
      // A new file is a new picture: its arrival shows like that of a text.
      key={logo.url}
      className="brand-logo"
      src={logo.url}
      width={logo.width}
      height={logo.height}
      alt=""
      data-image="logo_primary"
      onError={() => setFailed(logo.url)}
    />
  );
}

function Mark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" className="mark-sky" />
      <path d="M6 20c5-9 15-12 20-13-3 4-8 7-11 13z" className="mark-glow" />
      <path d="M5 25l6-6 4 3 5-6 7 9z" fill="#f6f3ec" />
    </svg>
  );
}
