/** What the policy of the page lets style elements carry; the server puts a new one into each page. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''

// The library that keeps the page from scrolling under a dialog looks for it here.
Object.assign(globalThis, { __webpack_nonce__: nonce })
