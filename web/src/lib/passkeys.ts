/**
 * Passkeys of this browser: the options that the API gives become a question to the person, and the answer becomes JSON for the API.
 *
 * Bytes are converted here and not by `toJSON()` and `parseRequestOptionsFromJSON()`: browsers that are in use lack them.
 */
import type { paths } from "@/api.gen";

type Body<Path extends "/api/auth/login/passkey" | "/api/user/second-factors/passkeys"> =
  paths[Path]["post"]["requestBody"]["content"]["application/json"];
export type SignedPasskey = Body<"/api/auth/login/passkey">["passkey"];
export type MadePasskey = Body<"/api/user/second-factors/passkeys">["passkey"];
export type PasskeyOptions = { [name: string]: unknown };

interface Named {
  id: string;
}
interface Given {
  challenge: string;
  user: Named;
  allowCredentials: Named[];
  excludeCredentials: Named[];
}

/** Whether the person gave up, or let the time pass; else this browser or authenticator can't do it. */
export const isGivenUp = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");

/** The message when the browser gave no passkey. */
export function passkeyFailure(error: unknown): string {
  if (isGivenUp(error)) return "No passkey was used. Try again, or use another way.";
  if (error instanceof DOMException && error.name === "InvalidStateError") return "This device has a passkey already.";
  return "This browser could not use a passkey here.";
}

/** Asks the person for one of their passkeys. Rejects as `navigator.credentials.get()` does. */
export async function askForPasskey(options: PasskeyOptions): Promise<SignedPasskey> {
  const given = options as unknown as Given;
  const publicKey = {
    ...options,
    challenge: bytesOf(given.challenge),
    allowCredentials: given.allowCredentials.map(withBytes),
  } as unknown as PublicKeyCredentialRequestOptions;
  const credential = publicKeyOf(await navigator.credentials.get({ publicKey }));
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    ...identityOf(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: response.userHandle === null ? null : textOf(response.userHandle),
    },
  };
}

/** Has the browser make a passkey. Rejects as `navigator.credentials.create()` does. */
export async function makePasskey(options: PasskeyOptions): Promise<MadePasskey> {
  const given = options as unknown as Given;
  const publicKey = {
    ...options,
    challenge: bytesOf(given.challenge),
    user: withBytes(given.user),
    excludeCredentials: given.excludeCredentials.map(withBytes),
  } as unknown as PublicKeyCredentialCreationOptions;
  const credential = publicKeyOf(await navigator.credentials.create({ publicKey }));
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    ...identityOf(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

function publicKeyOf(credential: Credential | null): PublicKeyCredential {
  if (credential === null) throw new DOMException("No passkey.", "NotAllowedError");
  return credential as PublicKeyCredential;
}

function identityOf({ rawId }: PublicKeyCredential) {
  const id = textOf(rawId);
  return { id, rawId: id, type: "public-key" as const };
}

const withBytes = <Part extends Named>(part: Part) => ({ ...part, id: bytesOf(part.id) });

/** The bytes that base64url spells. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** Bytes as base64url without padding. */
function textOf(buffer: ArrayBuffer): string {
  const letters = [...new Uint8Array(buffer)].map((byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
