/** The nonce that the page's policy asks of style elements, for the libraries that add such elements. */
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
// react-hot-toast reads the first name; react-colorful and Mantine's dialogs read the second.
Object.assign(globalThis, { __nonce__: nonce, __webpack_nonce__: nonce });

export const getStyleNonce = () => nonce;
