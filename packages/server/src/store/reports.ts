import type { Database } from '../database/db.ts'
import { type EventDraft, logEvents } from './event-log.ts'
import type { Write } from './write.ts'

/**
 * Reports of devices. Together with `write.ts`, this is the only way to write to the domain tables. It stores
 * many events at once, and the changes that follow from them, in the caller's transaction.
 */
export interface Marks {
  /** Table and id of what was last used, and when: gadgets, PINs, cards. */
  readonly used: readonly { readonly table: UsedTable; readonly id: string; readonly at: string }[]
  readonly states: readonly { readonly gadget_id: string; readonly state_id: string }[]
}

const usedColumns = {
  gadgets: 'last_action_at',
  member_pins: 'last_used_at',
  member_cards: 'last_used_at',
} as const
export type UsedTable = keyof typeof usedColumns

export async function storeReports(write: Write, drafts: readonly EventDraft[], marks: Marks): Promise<void> {
  const used = Map.groupBy(marks.used, ({ table }) => table)
  // Pipelined to save round trips. It also ensures that no statement is sent after another has failed and the
  // transaction has ended.
  await Promise.all([
    logEvents(write.db, drafts),
    ...Array.from(used, ([table, marks]) => markUsed(write, table, marks)),
    marks.states.length > 0 && setStates(write, marks.states),
  ])
}

async function markUsed({ db, caller }: Write, table: UsedTable, used: Marks['used']): Promise<void> {
  const latest = new Map<string, string>()
  for (const { id, at } of used) if (at > (latest.get(id) ?? '')) latest.set(id, at)
  const column = usedColumns[table]
  await db.query(
    `UPDATE ${table} t SET ${column} = greatest(t.${column}, e.at) FROM jsonb_to_recordset($2::jsonb) AS e(id text, at timestamptz)
     WHERE t.organization_id = $1 AND t.id = e.id`,
    [caller.organization_id, [...latest].map(([id, at]) => ({ id, at }))],
  )
}

async function setStates({ db, caller }: Write, states: Marks['states']): Promise<void> {
  const last = new Map(states.map(({ gadget_id, state_id }) => [gadget_id, state_id]))
  await db.query(
    `UPDATE gadgets t SET state_id = e.state_id FROM jsonb_to_recordset($2::jsonb) AS e(id text, state_id text)
     WHERE t.organization_id = $1 AND t.id = e.id`,
    [caller.organization_id, [...last].map(([id, state_id]) => ({ id, state_id }))],
  )
}

/** Sets the status without an event. Changes that need an event go through `updateObject`. */
export async function setDeviceStatus(
  { db, caller }: Write,
  deviceId: string,
  status: object,
): Promise<void> {
  await db.query('UPDATE devices SET status = $3 WHERE organization_id = $1 AND id = $2', [
    caller.organization_id,
    deviceId,
    status,
  ])
}

/** Sets what devices would need to read the rows that they were not sent. No event: it follows from others. */
export async function setMissingCapabilities(
  db: Database,
  devices: readonly {
    readonly organization_id: string
    readonly device_id: string
    readonly missing: readonly string[]
  }[],
): Promise<void> {
  await db.query(
    `UPDATE devices t SET status = t.status || jsonb_build_object('missing_capabilities', e.missing)
     FROM jsonb_to_recordset($1::jsonb) AS e(organization_id text, device_id text, missing jsonb)
     WHERE t.organization_id = e.organization_id AND t.id = e.device_id`,
    [devices],
  )
}
