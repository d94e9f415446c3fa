import { randomInt } from 'node:crypto'
import { RequestError } from '@gatehouse-access/api'
import { comfortableRatio, isWeakPin, possiblePins, refusedRatio } from '@gatehouse-access/core'
import { pinHashes } from '../../members/member-pins.ts'
import { allowPinLookup, countPinLookup } from '../../members/pin-lookups.ts'
import type { Work } from '../../objects/context.ts'
import type { Foreseen } from '../rows/foreseen.ts'
import type { BatchOptions } from '../rows/row-context.ts'
import { named } from './foreseen-names.ts'
import type { FindLookup } from './pin-lookups.ts'

const [shortestPin, longestPin] = [6, 20]

interface Taken {
  /** Why it cannot be had. */
  readonly problem?: string
  readonly isLookedUp?: boolean
}

/** What a batch knows of PINs: which of those it asks for are taken, and which lengths have room. */
export class PinRoom {
  readonly #work: Work
  readonly #foreseen: Foreseen
  readonly #counted: Set<number>
  readonly #findLookup: FindLookup
  /** Hashes that others hold, or rows of this batch before. */
  readonly #taken = new Set<string>()
  /** How many there were before this batch, as far as a length and a ratio need it, and how many it adds to each length. */
  readonly #before = new Map<string, number>()
  readonly #added = new Map<number, number>()
  /** Each is asked for several times, and a keyed hash costs more than everything else about a row. */
  readonly #hashes = new Map<string, string[]>()
  #refusal: RequestError | undefined | null = null

  constructor(
    work: Work,
    { foreseen, counted }: Pick<BatchOptions, 'foreseen' | 'counted'>,
    findLookup: FindLookup,
  ) {
    this.#work = work
    this.#foreseen = foreseen
    this.#counted = counted
    this.#findLookup = findLookup
  }

  hashesOf(pin: string): string[] {
    const { context, caller } = this.#work
    const known = this.#hashes.get(pin)
    if (known) return known
    const hashes = pinHashes(context, caller.organization_id, pin).map(hash => hash.toString('hex'))
    this.#hashes.set(pin, hashes)
    return hashes
  }

  /** Looks up given PINs, all at once. */
  async learn(pins: readonly string[]): Promise<void> {
    if (pins.length === 0) return
    const hashes = pins.flatMap(pin => this.hashesOf(pin))
    const held = (await this.#findTaken(hashes)).filter(hash => !this.#foreseen.isFree(named.pin(hash)))
    const given = hashes.filter(hash => this.#foreseen.isTaken(named.pin(hash)))
    for (const hash of [...held, ...given]) this.#taken.add(hash)
  }

  async #findTaken(hashes: readonly string[]): Promise<string[]> {
    const { db, caller } = this.#work
    const rows = await db.query<{ hash: string }>(
      `SELECT encode(pin_hash, 'hex') AS hash FROM member_pins WHERE organization_id = $1 AND is_claimed
       AND pin_hash IN (SELECT decode(hash, 'hex') FROM unnest($2::text[]) AS hash)`,
      [caller.organization_id, hashes],
    )
    return rows.map(row => row.hash)
  }

  /**
   * Takes a given PIN, or tells why it cannot be had. Whoever chooses PINs learns which are taken, so refusals are
   * limited here as for single requests. The start of a dry run is free to say again what that has said.
   */
  async takeGiven(pin: string, line: number): Promise<Taken> {
    const hashes = this.hashesOf(pin)
    const told = this.#counted.has(line) ? 'refused' : this.#findLookup(line, hashes[0] ?? '')
    const refusal = told ? undefined : await this.#refusalNow()
    if (refusal) return { problem: refusal.message }
    if (!hashes.some(hash => this.#taken.has(hash)) && (await this.#hasRoom(pin.length, refusedRatio))) {
      this.#add(pin)
      return { isLookedUp: true }
    }
    // Outside of the transaction: a dry run is rolled back, and has told as much.
    if (told !== 'refused') await countPinLookup(this.#work.context, this.#work.caller)
    this.#counted.add(line)
    this.#refusal = null
    return {
      problem: 'This PIN cannot be used: choose another, or write "new" to get a generated one',
      isLookedUp: true,
    }
  }

  /** What an earlier row of the file takes from a member can be given to another. */
  release({ pin_hash }: { readonly pin_hash: Uint8Array }): void {
    this.#taken.delete(Buffer.from(pin_hash).toString('hex'))
  }

  async #refusalNow(): Promise<RequestError | undefined> {
    if (this.#refusal !== null) return this.#refusal
    try {
      await allowPinLookup(this.#work)
      this.#refusal = undefined
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      this.#refusal = error
    }
    return this.#refusal
  }

  /** Makes so many PINs that nobody has. */
  async make(lengths: readonly (number | undefined)[]): Promise<(string | undefined)[]> {
    const pins: (string | undefined)[] = []
    for (const wanted of lengths) {
      const length = wanted ?? (await this.#comfortableLength())
      const isRoomy = wanted === undefined || (await this.#hasRoom(length, refusedRatio))
      pins.push(isRoomy ? this.#draw(length) : undefined)
    }
    return this.#withoutTaken(pins)
  }

  #draw(length: number): string {
    for (;;) {
      const pin = Array.from({ length }, () => randomInt(10)).join('')
      if (isWeakPin(pin) || this.hashesOf(pin).some(hash => this.#taken.has(hash))) continue
      this.#add(pin)
      return pin
    }
  }

  async #withoutTaken(drawn: (string | undefined)[]): Promise<(string | undefined)[]> {
    for (let doubtful = drawn; ; ) {
      const asked = doubtful.filter(pin => pin !== undefined)
      if (asked.length === 0) return drawn
      const taken = new Set(await this.#findTaken(asked.flatMap(pin => this.hashesOf(pin))))
      doubtful = []
      for (const [index, pin] of drawn.entries())
        if (pin !== undefined && this.hashesOf(pin).some(hash => taken.has(hash))) {
          const other = this.#draw(pin.length)
          drawn[index] = other
          doubtful.push(other)
        }
    }
  }

  #add(pin: string): void {
    for (const hash of this.hashesOf(pin)) this.#taken.add(hash)
    this.#added.set(pin.length, this.#addedOf(pin.length) + 1)
  }

  #addedOf(length: number): number {
    return this.#added.get(length) ?? 0
  }

  async #comfortableLength(): Promise<number> {
    for (let length = shortestPin; length < longestPin; length++)
      if (await this.#hasRoom(length, comfortableRatio)) return length
    return longestPin
  }

  async #hasRoom(length: number, ratio: number): Promise<boolean> {
    const most = Math.max(Math.floor(possiblePins(length) / ratio), 1)
    const before = this.#before.get(`${length} ${ratio}`) ?? (await this.#count(length, ratio, most))
    return before + this.#addedOf(length) < most
  }

  async #count(length: number, ratio: number, most: number): Promise<number> {
    const { db, caller, context } = this.#work
    const foreseen = this.#foreseen.count(named.pins(length))
    const needed = Math.max(most - foreseen, 1)
    const counted = await context.pin_counts.count(db, caller.organization_id, length, needed)
    this.#before.set(`${length} ${ratio}`, counted + foreseen)
    return counted + foreseen
  }
}
