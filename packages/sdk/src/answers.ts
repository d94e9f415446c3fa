const headers = new WeakMap<object, Headers>()

/** Keeps the headers separate from the object, so that the object holds only what the service returned. */
export function rememberHeaders<T>(answer: T, given: Headers): T {
  if (typeof answer === 'object' && answer !== null) headers.set(answer, given)
  return answer
}

/** Returns the headers that came with an object or a page of this client. */
export function headersOf(answer: object): Headers | undefined {
  return headers.get(answer)
}

/** Returns the ETag of an object. Pass it as `if_match` to change the object only if nobody else has. */
export function etagOf(answer: object): string | undefined {
  return headersOf(answer)?.get('etag') ?? undefined
}

/**
 * Returns when the service gave an answer, by its own clock: that of this machine may be wrong. Cut to the second, so
 * it is never in the future. Without a `Date` header that can be read, the clock of this machine has to do.
 */
export function answeredAt(answer: object): string {
  const told = Date.parse(headersOf(answer)?.get('date') ?? '')
  return new Date(Number.isNaN(told) ? Date.now() : told).toISOString()
}
