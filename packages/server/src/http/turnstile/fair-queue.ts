import { present } from '../../flow/present.ts'
/** Somebody who waits. */
export interface Waiter {
  readonly tenant: string
  /** What serving it costs, in units of a plain read. */
  readonly weight: number
  /** Since when, in milliseconds of the process. */
  readonly since: number
}

interface Line<Item> {
  readonly waiting: Item[]
  weight: number
  /** What the tenant may still be served of before the others have their turn. */
  credit: number
}

/** Units that each tenant is served of in its turn, at the least. */
const quantum = 4

/**
 * A line for each tenant, served in turns of equal cost (deficit round robin): whoever sends much waits for itself. All of
 * it is bounded by whoever adds to it.
 */
export class FairQueue<Item extends Waiter> {
  /** In the order of their turns. */
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
   * The next in turn among those who are within their share. Undefined while there is no room for it: nobody else goes
   * before, else the light ones would take whatever comes free and a heavy one would wait for ever.
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

  /** Takes out the newest of the tenant that has most in line, unless that is not more than `weight`. */
  evict(weight: number): Item | undefined {
    let longest: Line<Item> | undefined
    let most = weight
    for (const line of this.#lines.values()) if (line.weight > most) [longest, most] = [line, line.weight]
    return longest && this.#remove(longest, longest.waiting.length - 1)
  }

  /** Takes out everybody who came before that time. */
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
