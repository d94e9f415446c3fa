import { randomInt } from 'node:crypto'
import { invalid } from '@gatehouse-access/api'
import { comfortableRatio, isWeakPin, possiblePins, refusedRatio } from '@gatehouse-access/core'
import { present } from '../../flow/present.ts'
import { digestFor, sealedAs } from '../../vault/contexts.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Context, Work } from '../objects/context.ts'
import { claims } from '../objects/credentials.ts'
import { settleSuspension } from '../objects/suspension.ts'
import { allowPinLookup } from './pin-lookups.ts'

const shortestPin = 6
const longestPin = 20

/** Returns the keyed hashes of a PIN in an organization, the one with the current key first. */
export function pinHashes({ vault }: Context, organizationId: string, pin: string): Buffer[] {
  return vault.digests(pin, digestFor.pin(organizationId))
}

interface SealedPin {
  readonly id: string
  readonly pin_ciphertext: Uint8Array
}

export function revealPin({ vault }: Context, { id, pin_ciphertext }: SealedPin): string {
  return vault.decrypt(pin_ciphertext, sealedAs.member_pin(id))
}

/** Returns the columns of a new PIN. */
export function pinColumns({ context, caller }: Work, id: string, pin: string) {
  const [hash] = pinHashes(context, caller.organization_id, pin)
  return {
    length: pin.length,
    pin_hash: present(hash, 'the hash of a PIN'),
    pin_ciphertext: context.vault.encrypt(pin, sealedAs.member_pin(id)),
  }
}

export const memberPinBehaviour = behaviour('member_pin', {
  ...claims,
  settle: settleSuspension,
  async beforeCreate(work, values) {
    const pin = await choosePin(work, values)
    return { pin, ...pinColumns(work, values.id, pin) }
  },
  afterCreate: async (_work, _row, values) => ({ pin: values.pin }),
  async beforeRestore(work, row) {
    await allowPinLookup(work)
    return claims.beforeRestore(work, row)
  },
})

interface WantedPin {
  readonly pin?: string
  readonly length: number | null
}

async function choosePin(work: Work, { pin, length }: WantedPin): Promise<string> {
  if (pin !== undefined) return checkGiven(work, pin, length)
  if (length !== null) {
    await checkRoom(work, length)
    return generate(work, length)
  }
  return generate(work, await comfortableLength(work))
}

async function checkGiven(work: Work, pin: string, length: number | null): Promise<string> {
  if (length !== null && length !== pin.length)
    throw invalid('length', `length ${length} does not match a pin of ${pin.length} digits`)
  await allowPinLookup(work)
  const [isFree, isRoomy] = [!(await isTaken(work, pin)), await hasRoom(work, pin.length, refusedRatio)]
  if (isFree && isRoomy) return pin
  // Uses the same message for a taken PIN and for a length that is nearly used up.
  throw invalid(
    'pin',
    `pin cannot be used; choose another, or leave pin out to get a generated one (${await comfortableLength(work)} digits are available)`,
  )
}

/** Throws if the length is nearly used up: strangers could then guess a valid PIN. */
async function checkRoom(work: Work, length: number): Promise<void> {
  if (await hasRoom(work, length, refusedRatio)) return
  const free = await comfortableLength(work)
  throw invalid(
    'length',
    `too many PINs of ${length} digits are in use for another one to be safe; use ${free} digits`,
  )
}

async function comfortableLength(work: Work): Promise<number> {
  for (let length = shortestPin; length < longestPin; length++)
    if (await hasRoom(work, length, comfortableRatio)) return length
  return longestPin
}

async function hasRoom({ context, db, caller }: Work, length: number, ratio: number): Promise<boolean> {
  const most = Math.max(Math.floor(possiblePins(length) / ratio), 1)
  return (await context.pin_counts.count(db, caller.organization_id, length, most)) < most
}

async function generate(work: Work, length: number): Promise<string> {
  for (;;) {
    const pin = Array.from({ length }, () => randomInt(10)).join('')
    if (!isWeakPin(pin) && !(await isTaken(work, pin))) return pin
  }
}

/** Checks the hashes of every key, because a rotation may not have rehashed all rows yet. */
export async function isTaken(work: Work, pin: string): Promise<boolean> {
  const hashes = pinHashes(work.context, work.caller.organization_id, pin).map(hash => hash.toString('hex'))
  const [row] = await work.db.query(
    `SELECT 1 FROM member_pins WHERE organization_id = $1 AND is_claimed
     AND pin_hash IN (SELECT decode(hash, 'hex') FROM unnest($2::text[]) AS hash)`,
    [work.caller.organization_id, hashes],
  )
  return row !== undefined
}
