// The HTTP client takes 25 MB and a tenth of a second, so it is loaded for the first request to somebody else.
export const loadClient = () => import('undici')
export const loadDialer = () => import('./dialer.ts')
