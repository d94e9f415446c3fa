const headers = new WeakMap<object, Headers>()

/** Keeps the headers beside the object, so that the object holds nothing but what the service answered. */
export function rememberHeaders<T>(answer: T, given: Headers): T {
  if (typeof answer === 'object' && answer !== null) headers.set(answer, given)
  return answer
}

/** The headers that came with an object or a page of this client. */
export function headersOf(answer: object): Headers | undefined {
  return headers.get(answer)
}

/** The ETag of an object as it was answered: give it as `if_match` to change only what nobody else changed. */
export function etagOf(answer: object): string | undefined {
  return headersOf(answer)?.get('etag') ?? undefined
}
