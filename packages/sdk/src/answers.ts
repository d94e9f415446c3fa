const headers = new WeakMap<object, Headers>()

/** Keeps the headers apart from the object, so that the object holds only what the service returned. */
export function rememberHeaders<T>(answer: T, given: Headers): T {
  if (typeof answer === 'object' && answer !== null) headers.set(answer, given)
  return answer
}

/** The headers that came with an object or a page of this client. */
export function headersOf(answer: object): Headers | undefined {
  return headers.get(answer)
}

/** The ETag of an object as it was returned: give it as `if_match` to change it only if nobody else has. */
export function etagOf(answer: object): string | undefined {
  return headersOf(answer)?.get('etag') ?? undefined
}
