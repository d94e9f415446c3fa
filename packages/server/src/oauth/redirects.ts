const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(\/[^#]*)?$/

/** Matches redirect URIs byte for byte. If the registered URI is loopback, only the port can differ. */
export function isRegistered(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true
  const wanted = withoutPort(given)
  return wanted !== undefined && registered.some(uri => withoutPort(uri) === wanted)
}

function withoutPort(uri: string): string | undefined {
  const match = loopback.exec(uri)
  return match ? `${match[1]} ${match[3] ?? ''}` : undefined
}
