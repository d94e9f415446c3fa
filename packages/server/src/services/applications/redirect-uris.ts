const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Allows https, http on the developer's own machine, and an app's private scheme (reversed domain name). */
export function isRedirectUri(text: string): boolean {
  const url = text.length <= 2048 && URL.canParse(text) ? new URL(text) : undefined
  if (!url || /[#*\s\\]/.test(text) || url.username || url.password) return false
  if (url.protocol === 'https:') return url.hostname !== ''
  if (url.protocol === 'http:') return loopback.has(url.hostname)
  return /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(url.protocol)
}
