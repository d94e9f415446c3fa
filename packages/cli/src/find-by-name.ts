import { CommandError } from './command.ts'

interface Named {
  readonly id: string
  readonly name: string | null
}

interface Found<Item extends Named> {
  get(id: string): Promise<Item>
  all(query: { q: string; limit: number }): AsyncIterable<Item>
}

interface Wish {
  readonly prefix: string
  /** How a person calls it. */
  readonly what: string
  readonly wanted: string
  /** The only object whose name contains the words counts, too. */
  readonly or_only?: boolean
}

/** Reading more takes longer than looking up the ID. */
const most = 10_000

/** Finds an object by its ID, or by the only name that matches. */
export async function findByName<Item extends Named>(
  collection: Found<Item>,
  { prefix, what, wanted, or_only }: Wish,
): Promise<Item> {
  if (wanted.startsWith(prefix)) return collection.get(wanted)
  const hits: Item[] = []
  // All hits: the one that has exactly this name, or a namesake, may be the oldest.
  for await (const hit of collection.all({ q: wanted, limit: 100 }))
    if (hits.push(hit) > most)
      throw new CommandError(`More than ${most} ${what}s have a name with ${wanted}: give the ID.`)
  const exact = hits.filter(({ name }) => name?.toLowerCase() === wanted.toLowerCase())
  const found = exact.length === 0 && or_only ? hits : exact
  const [item] = found
  if (item && found.length === 1) return item
  const listed = found.slice(0, 10).map(({ id, name }) => (exact.length > 0 ? id : `${name} ${id}`))
  throw new CommandError(
    item
      ? `${found.length} ${what}s are called ${wanted}: give the ID of one of them (${listed.join(', ')}).`
      : `There is no ${what} called ${wanted}.`,
  )
}
