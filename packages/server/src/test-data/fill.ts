import { epochMilliseconds } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import { present } from '../flow/present.ts'
import type { Context } from '../services/objects/context.ts'
import { serviceCaller } from '../store/caller.ts'
import { Batch } from './batch.ts'
import { momentAt, monthsBefore } from './moments.ts'
import { findOrMakeDoors, makeGroups } from './places.ts'

export interface FillOptions {
  readonly organization_id: string
  readonly members: number
  readonly events: number
  onProgress(what: 'members' | 'events', done: number): void
}

const batchSize = { members: 1000, events: 5000 }
// While the database stores a batch, the next is prepared.
const lanes = 2

/** Fills an organization for load tests: members with groups and emails, and events over twelve months. */
export async function fillOrganization(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  options: FillOptions,
): Promise<void> {
  const { organization_id, members, events } = options
  const now = clock.now()
  const end = epochMilliseconds(now)
  for (const month of monthsBefore(end)) await db.query('SELECT make_event_partition($1::date)', [month])
  const write = { db, caller: serviceCaller(organization_id), now }
  const doors = await findOrMakeDoors(write)
  const groups = await makeGroups(write, Math.min(100, Math.ceil(members / 100)), doors)
  const memberIds = members > 0 ? new Array<string>(members) : await findMembers(db, organization_id)
  await inBatches(db, 'members', options, (batch, index) => {
    const group = present(groups[index % groups.length], 'a group')
    memberIds[index] = batch.addMember(index, momentAt(index, members, end), group, end)
  })
  await inBatches(db, 'events', options, (batch, index) => {
    // Only members that existed at that time.
    const known = Math.max(1, Math.floor((memberIds.length * index) / events))
    const member = memberIds[Math.floor(Math.random() * known)]
    const door = doors[Math.floor(Math.random() * doors.length)]
    if (door) batch.addUse(momentAt(index, events, end), door, member)
  })
}

async function findMembers(db: Database, organization_id: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'SELECT id FROM members WHERE organization_id = $1 AND NOT is_deleted ORDER BY created_at, id LIMIT 100000',
    [organization_id],
  )
  return rows.map(({ id }) => id)
}

/** Each batch commits separately: a long transaction would hold back the feed readers. */
async function inBatches(
  db: Database,
  what: 'members' | 'events',
  options: FillOptions,
  add: (batch: Batch, index: number) => void,
): Promise<void> {
  const [total, size] = [options[what], batchSize[what]]
  let [next, done] = [0, 0]
  if (total > 0) options.onProgress(what, 0)
  const work = async () => {
    while (next < total) {
      const [from, to] = [next, Math.min(next + size, total)]
      next = to
      const batch = new Batch(options.organization_id)
      for (let index = from; index < to; index++) add(batch, index)
      await batch.store(db)
      done += to - from
      options.onProgress(what, done)
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
}
