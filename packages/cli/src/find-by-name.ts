import { CommandError } from './command.ts'

interface Named {
  readonly id: string
  readonly name: string | null
}

interface Found<Item extends Named> {
  get(id: string): Promise<Item>
  list(query: { q: string; limit: number }): Promise<{ readonly data: readonly Item[] }>
}

interface Wish {
  readonly prefix: string
  /** How a person calls it. */
  readonly what: string
  readonly wanted: string
  /** The only object whose name contains the words counts, too. */
  readonly or_only?: boolean
}

/** Finds an object by its ID, or by the only name that matches. */
export async function findByName<Item extends Named>(
  collection: Found<Item>,
  { prefix, what, wanted, or_only }: Wish,
): Promise<Item> {
  if (wanted.startsWith(prefix)) return collection.get(wanted)
  const { data } = await collection.list({ q: wanted, limit: 100 })
  const exact = data.filter(({ name }) => name?.toLowerCase() === wanted.toLowerCase())
  const found = exact.length === 0 && or_only ? data : exact
  const [item] = found
  if (item && found.length === 1) return item
  const listed = found.slice(0, 10).map(({ id, name }) => (exact.length > 0 ? id : `${name} ${id}`))
  throw new CommandError(
    item
      ? `${found.length} ${what}s are called ${wanted}: give the ID of one of them (${listed.join(', ')}).`
      : `There is no ${what} called ${wanted}.`,
  )
}
