import { invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { settleSuspension } from '../objects/suspension.ts'
import { isTaken, revealPin } from './member-pins.ts'
import { allowPinLookup } from './pin-lookups.ts'
import { refuseEndAtStart, refuseEndBeforeStart } from './validity.ts'

const day = 86_400
/** A day after the last day of 9999 has no four-digit year, so an end on that day means forever. */
const lastDue = '9999-12-31'

type Ending = Pick<StoredOf<Resources['member']>, 'ends_at' | 'is_deleted'>

/**
 * The service deletes a member a day after `ends_at`. A member restored later than that gets a full day from
 * the restore, unless the same edit sets a new end.
 */
function autoDeleteAt(after: Ending, before: Ending | undefined, now: string): string | null {
  if (after.ends_at === null || after.ends_at > lastDue) return null
  const due = addSeconds(after.ends_at, day)
  const isRestored = before?.is_deleted && !after.is_deleted
  return isRestored && after.ends_at === before?.ends_at && due <= now ? addSeconds(now, day) : due
}

export const memberBehaviour = behaviour('member', {
  settle(after, before, now) {
    refuseEndBeforeStart(after)
    refuseEndAtStart(after)
    const moved = !before || before.ends_at !== after.ends_at || before.is_deleted !== after.is_deleted
    return {
      ...settleSuspension(after, before, now),
      ...(moved && { auto_delete_at: autoDeleteAt(after, before, now) }),
    }
  },
  async beforeDelete(work, member) {
    await releaseCredentials(work, [member.id])
    return {}
  },
  async beforeRestore(work, member) {
    await claimCredentials(work, member.id)
    return {}
  },
})

/** Releases the PINs and cards of deleted members for others. */
export async function releaseCredentials(
  work: Pick<Work, 'db' | 'caller'>,
  memberIds: readonly string[],
): Promise<void> {
  for (const table of ['member_pins', 'member_cards'] as const)
    await work.db.query(
      `UPDATE ${table} SET is_claimed = false WHERE organization_id = $1 AND member_id = ANY($2::text[]) AND is_claimed`,
      [work.caller.organization_id, memberIds],
    )
}

async function claimCredentials(work: Work, memberId: string): Promise<void> {
  refuseTaken('PIN', await findTakenPin(work, memberId))
  refuseTaken('card', await findTakenCard(work, memberId))
  for (const table of ['member_pins', 'member_cards'] as const)
    await work.db.query(
      `UPDATE ${table} SET is_claimed = true WHERE organization_id = $1 AND member_id = $2 AND NOT is_deleted AND NOT is_claimed`,
      [work.caller.organization_id, memberId],
    )
}

export function refuseTaken(name: string, id: string | undefined): void {
  if (id !== undefined)
    throw invalid('is_deleted', `its ${name} ${id} is now used by another member; delete that one first`)
}

/** Compares the digits under every key, because equal PINs may have different hashes during a rotation. */
async function findTakenPin(work: Work, memberId: string): Promise<string | undefined> {
  const pins = await work.db.query<{ id: string; pin_ciphertext: Uint8Array }>(
    'SELECT id, pin_ciphertext FROM member_pins WHERE organization_id = $1 AND member_id = $2 AND NOT is_deleted AND NOT is_claimed',
    [work.caller.organization_id, memberId],
  )
  if (pins.length > 0) await allowPinLookup(work)
  for (const pin of pins) if (await isTaken(work, revealPin(work.context, pin))) return pin.id
  return undefined
}

async function findTakenCard(work: Work, memberId: string): Promise<string | undefined> {
  const [taken] = await work.db.query<{ id: string }>(
    `SELECT mine.id FROM member_cards mine JOIN member_cards other USING (organization_id, card_id)
     WHERE mine.organization_id = $1 AND mine.member_id = $2 AND NOT mine.is_deleted AND NOT mine.is_claimed AND other.is_claimed LIMIT 1`,
    [work.caller.organization_id, memberId],
  )
  return taken?.id
}
