import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import { type Author, type Condition, conditionKey, isLate } from '../condition.ts'
import { openAlarms } from '../open-alarms.ts'
import { setTimers } from '../timers.ts'
import { findFrequent, type Passing } from './frequent-denials.ts'

/** Seconds after which a keypad that refused an entry because of its pause is quiet again. */
const quietKeypad = 300

/** Somebody was denied. A trigger that a lockdown holds back is nobody. */
export function isDenial({ object, verb }: StoredEvent): boolean {
  return object.type === 'access_denial' && verb === 'create' && !object.gadget_trigger_id
}

/** Finds keypads that pause, and gadgets and members with many denials. These conditions end when it is quiet. */
export async function followDenials(
  db: Database,
  author: Author,
  denials: readonly StoredEvent[],
): Promise<void> {
  if (denials.length === 0) return
  const paused = denials.filter(({ object }) => object.reason === 'keypad_paused').map(keypadPaused)
  await openFor(db, author, [...paused.filter(isPlaced), ...(await findFrequent(db, author, denials))])
}

async function openFor(db: Database, author: Author, passing: readonly Passing[]): Promise<void> {
  await openAlarms(
    db,
    author,
    passing.map(({ condition }) => condition),
  )
  const last = new Map(passing.map(({ condition, ends_at }) => [condition.condition_key, ends_at]))
  await setTimers(
    db,
    author.caller.organization_id,
    [...last].map(([key, due_at]) => ({ kind: 'end', key, due_at, about: {} })),
  )
}

function keypadPaused({ created_at, object, recorded_at }: StoredEvent): Passing {
  const { device_id, gadget_id, site_id } = object
  const condition: Condition = {
    type: 'keypad_paused',
    condition_key: conditionKey('keypad_paused', device_id ?? ''),
    device_id: device_id ?? null,
    gadget_id: gadget_id ?? null,
    site_id: site_id ?? null,
    started_at: created_at,
    is_late: isLate(created_at, recorded_at),
  }
  return { condition, ends_at: addSeconds(created_at, quietKeypad) }
}

function isPlaced({ condition }: Passing): boolean {
  return Boolean(condition.device_id)
}
