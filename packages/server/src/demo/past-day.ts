import type { EventObject, EventSubject } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Context } from '../services/objects/context.ts'
import type { Caller } from '../store/caller.ts'
import { logEvents } from '../store/event-log.ts'

type Method = NonNullable<EventSubject['access_method']>

/** Who comes by where, how, and how many minutes ago. */
interface Passage {
  readonly member: string
  readonly door: string
  readonly method: Method
  readonly minutes: readonly number[]
}

/** Nobody who is the first person of the day: that would unlock the lobby now. */
const passages: readonly Passage[] = [
  {
    member: 'Reservation R-1001',
    door: 'Front door',
    method: 'pin',
    minutes: [22, 185, 640, 655, 1180, 1390],
  },
  { member: 'Reservation R-1001', door: 'Lift', method: 'online', minutes: [20, 183, 641, 1178] },
  { member: 'Reservation R-1001', door: 'Pool', method: 'online', minutes: [240, 610] },
  { member: 'Reservation R-1002', door: 'Front door', method: 'pin', minutes: [51, 130, 405, 720, 1305] },
  { member: 'Reservation R-1002', door: 'Lounge', method: 'online', minutes: [45, 398, 700] },
  { member: 'Guest of the demo', door: 'Front door', method: 'online', minutes: [75, 330, 820, 1250] },
  { member: 'Guest of the demo', door: 'Lift', method: 'online', minutes: [73, 328, 818] },
  { member: 'Cleaning team', door: 'Front door', method: 'card', minutes: [95, 510, 900, 1340] },
  { member: 'Cleaning team', door: 'Lounge', method: 'card', minutes: [110, 495, 520, 915] },
  { member: 'Cleaning team', door: 'Pool', method: 'card', minutes: [118, 530] },
  { member: 'Night manager', door: 'Front door', method: 'bluetooth', minutes: [160, 560, 1010] },
  { member: 'Night manager', door: 'Lounge', method: 'bluetooth', minutes: [565, 1005] },
]

interface Refusal {
  readonly member?: string
  readonly door: string
  readonly method: Method
  readonly reason: string
  readonly minutes: number
}

const refusals: readonly Refusal[] = [
  { door: 'Front door', method: 'pin', reason: 'unknown_credential', minutes: 188 },
  { member: 'Reservation R-1001', door: 'Pool', method: 'online', reason: 'outside_schedule', minutes: 960 },
  {
    member: 'Reservation R-1003',
    door: 'Front door',
    method: 'pin',
    reason: 'member_not_started',
    minutes: 420,
  },
  { member: 'Reservation R-1002', door: 'Front door', method: 'online', reason: 'not_present', minutes: 735 },
]

/** Writes a day at the hotel, as a controller tells it that was away from the network until now. */
export async function writePastDay(context: Context, { organization_id }: Caller): Promise<void> {
  const { db } = context
  const now = context.clock.now()
  const named = 'organization_id = $1 AND name IS NOT NULL ORDER BY id DESC'
  const people = await db.query<{ name: string; id: string }>(`SELECT name, id FROM members WHERE ${named}`, [
    organization_id,
  ])
  const doors = await db.query<{ name: string; gadget_id: string; device_id: string; site_id: string }>(
    `SELECT name, id AS gadget_id, device_id, site_id FROM gadgets WHERE ${named}`,
    [organization_id],
  )
  const members = new Map(people.map(({ name, id }) => [name, id]))
  const gadgets = new Map(doors.map(({ name, ...door }) => [name, door]))
  const draft = (verb: 'use' | 'create', passage: Omit<Refusal, 'reason'>, object: Partial<EventObject>) => {
    const member_id = passage.member === undefined ? undefined : members.get(passage.member)
    return {
      organization_id,
      verb,
      subject: { ...(member_id && { member_id }), access_method: passage.method },
      object: { ...gadgets.get(passage.door), ...object } as EventObject,
      recorded_at: now,
      created_at: addSeconds(now, -60 * passage.minutes),
    }
  }
  const opened = passages.flatMap(({ minutes, ...passage }) =>
    minutes.map(ago => {
      const gadget_action_id = passage.door === 'Lift' ? 'up' : 'open'
      return draft('use', { ...passage, minutes: ago }, { type: 'gadget_action', gadget_action_id })
    }),
  )
  const refused = refusals.map(({ reason, ...refusal }) =>
    draft('create', refusal, { type: 'access_denial', gadget_action_id: 'open', reason }),
  )
  await logEvents(db, [...opened, ...refused])
}
