import { CommandError } from './command.ts'

interface Named {
  readonly id: string
  readonly name: string | null
}

interface Found<Item extends Named> {
  get(id: string): Promise<Item>
  list(query: { q: string; limit: number }): Promise<{ readonly data: readonly Item[] }>
}

/** Finds an object by its ID, or by the only name that matches. `what` is how a person calls it. */
export async function findByName<Item extends Named>(
  collection: Found<Item>,
  { prefix, what, wanted }: { prefix: string; what: string; wanted: string },
): Promise<Item> {
  if (wanted.startsWith(prefix)) return collection.get(wanted)
  const { data } = await collection.list({ q: wanted, limit: 100 })
  const found = data.filter(({ name }) => name?.toLowerCase() === wanted.toLowerCase())
  const [item] = found
  if (item && found.length === 1) return item
  throw new CommandError(
    item
      ? `${found.length} ${what}s are called ${wanted}: give the ID of one of them (${found.map(({ id }) => id).join(', ')}).`
      : `There is no ${what} called ${wanted}.`,
  )
}
