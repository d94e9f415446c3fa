import { present } from '../../flow/present.ts'
export interface Waiter {
  readonly tenant: string
  /** Cost in units of a plain read. */
  readonly weight: number
  /** When the wait began, by `performance.now()`. */
  readonly since: number
}

interface Line<Item> {
  readonly waiting: Item[]
  weight: number
  /** Units that the tenant can still be served before the next tenant's turn. */
  credit: number
}

/** The fewest units that each tenant is served per turn. */
const quantum = 4

/**
 * A queue per tenant, served in turns of equal cost (deficit round robin), so that a busy tenant delays only
 * itself. The caller must bound the size.
 */
export class FairQueue<Item extends Waiter> {
  /** In the order of turns. */
  #lines = new Map<string, Line<Item>>()
  #weight = 0
  #size = 0

  get weight(): number {
    return this.#weight
  }

  get size(): number {
    return this.#size
  }

  weightOf(tenant: string): number {
    return this.#lines.get(tenant)?.weight ?? 0
  }

  push(item: Item): void {
    const line = this.#lines.get(item.tenant) ?? { waiting: [], weight: 0, credit: quantum }
    line.waiting.push(item)
    this.#lines.set(item.tenant, line)
    this.#count(line, item, 1)
  }

  /**
   * Returns the next item whose tenant is within its share, or undefined while that item has no room. No item
   * overtakes it: light items would otherwise take all free capacity, and a heavy one would starve.
   */
  shift(isWithinShare: (item: Item) => boolean, hasRoom: (item: Item) => boolean): Item | undefined {
    const isBlocked = new Set<string>()
    while (isBlocked.size < this.#lines.size) {
      const [tenant, line] = present(this.#lines.entries().next().value, 'a line')
      const head = present(line.waiting[0], 'the head of a line')
      const mayGo = isWithinShare(head)
      if (mayGo && line.credit >= head.weight) return hasRoom(head) ? this.#serve(line) : undefined
      if (!mayGo) isBlocked.add(tenant)
      else line.credit += quantum
      this.#toBack(tenant, line)
    }
    return undefined
  }

  /** Removes the newest item of the tenant with the most weight queued, if that is more than `weight`. */
  evict(weight: number): Item | undefined {
    let longest: Line<Item> | undefined
    let most = weight
    for (const line of this.#lines.values()) if (line.weight > most) [longest, most] = [line, line.weight]
    return longest && this.#remove(longest, longest.waiting.length - 1)
  }

  /** Removes all items that were queued before this time. */
  expire(before: number): Item[] {
    const expired: Item[] = []
    for (const line of [...this.#lines.values()])
      while (line.waiting[0] && line.waiting[0].since < before) expired.push(this.#take(line))
    return expired
  }

  #serve(line: Line<Item>): Item {
    const item = this.#take(line)
    line.credit -= item.weight
    return item
  }

  #take(line: Line<Item>): Item {
    return present(this.#remove(line, 0), 'the head of a line')
  }

  #remove(line: Line<Item>, index: number): Item | undefined {
    const [item] = line.waiting.splice(index, 1)
    if (item) this.#count(line, item, -1)
    if (item && line.waiting.length === 0) this.#lines.delete(item.tenant)
    return item
  }

  #toBack(tenant: string, line: Line<Item>): void {
    this.#lines.delete(tenant)
    this.#lines.set(tenant, line)
  }

  #count(line: Line<Item>, { weight }: Item, by: 1 | -1): void {
    line.weight += weight * by
    this.#weight += weight * by
    this.#size += by
  }
}
