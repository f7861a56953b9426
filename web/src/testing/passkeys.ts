/** A browser with an authenticator, as far as a page sees it: jsdom has no authenticator. */
import { onTestFinished, vi } from "vitest";

const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

/** Gives this browser passkeys. Returns what the page asked of the authenticator; `fails` makes it reject. */
export function withPasskeys({ fails }: { fails?: DOMException } = {}) {
  const asked: CredentialCreationOptions[] = [];
  const give = (response: object) => async (options: CredentialCreationOptions) => {
    asked.push(options);
    if (fails !== undefined) throw fails;
    return { rawId: bytes("credential"), type: "public-key", response };
  };
  vi.stubGlobal("PublicKeyCredential", class {});
  Object.defineProperty(window.navigator, "credentials", {
    configurable: true,
    value: {
      get: give({
        clientDataJSON: bytes("client data"),
        authenticatorData: bytes("data"),
        signature: bytes("signed"),
        userHandle: bytes("usr_1"),
      }),
      create: give({
        clientDataJSON: bytes("client data"),
        attestationObject: bytes("attested"),
        getTransports: () => ["internal"],
      }),
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(window.navigator, "credentials");
  });
  return asked;
}

/** Text as base64url, as the JSON of a passkey has it. */
export const encoded = (text: string) => btoa(text).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");

export const LOGIN_OPTIONS = {
  challenge: encoded("challenge"),
  rpId: "localhost",
  allowCredentials: [{ id: encoded("credential"), type: "public-key" }],
  userVerification: "required",
};

export const CREATION_OPTIONS = {
  challenge: encoded("challenge"),
  rp: { id: "localhost", name: "Livery" },
  user: { id: encoded("usr_1"), name: "demo@example.com", displayName: "Demo Person" },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  excludeCredentials: [],
};

export const SIGNED = {
  id: encoded("credential"),
  rawId: encoded("credential"),
  type: "public-key",
  response: {
    clientDataJSON: encoded("client data"),
    authenticatorData: encoded("data"),
    signature: encoded("signed"),
    userHandle: encoded("usr_1"),
  },
};
