export interface Page<T> {
  readonly data: readonly T[]
  readonly has_next: boolean
  readonly cursor_next?: string
  /** Of events: how far was searched, where the page ends before it is full. */
  readonly searched_to?: string
  /** With `with_count`: how many there are. Counting stops at 10,000. */
  readonly count?: number
}

/** Yields every object of a list. Each page is requested only when it is needed. */
export async function* iteratePages<T>(
  load: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let page = await load(undefined)
  yield* page.data
  while (page.has_next) {
    page = await load(page.cursor_next)
    yield* page.data
  }
}
