/**
 * The nonce that the page's content security policy requires on style elements. The server generates a new
 * one for each page.
 */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''

// The library that locks scrolling under a dialog reads the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: nonce })
