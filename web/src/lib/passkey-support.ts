/** Whether this browser can use passkeys on this page: not over plain http, and not at an address without a name. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" && !/^[\d.]+$|^\[/.test(window.location.hostname);
