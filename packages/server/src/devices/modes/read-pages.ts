/** All, or those with these ids. */
export type Ids = ReadonlySet<string> | undefined

interface Pages<Row, Value> {
  readonly ids: Ids
  readonly into: Map<string, Value>
  readonly page: number
  /** Returns the living rows with an id above `after`, in order, of those that are named. */
  read(after: string, named: readonly string[] | null): Promise<readonly Row[]>
  make(row: Row): Value
}

/** Reads rows page by page. Of named ones, those that are no longer found are forgotten. */
export async function readPages<Row extends { readonly id: string }, Value>(
  pages: Pages<Row, Value>,
): Promise<void> {
  const { ids, into, page, read, make } = pages
  if (ids?.size === 0) return
  for (const id of ids ?? []) into.delete(id)
  const named = ids ? [...ids] : null
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: readonly Row[] = await read(after, named)
    for (const row of rows) into.set(row.id, make(row))
    after = rows.length < page ? undefined : rows.at(-1)?.id
  }
}
