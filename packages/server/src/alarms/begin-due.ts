import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import { type Author, type Condition, conditionKey } from './condition.ts'
import { asOfNow } from './holds.ts'
import { openAlarms } from './open-alarms.ts'
import { findCountsFrom } from './presence-watch.ts'
import { findRuled } from './ruled.ts'
import { findTimers, setTimers, type Timer } from './timers.ts'

/** Opens the alarms of conditions that have held for their delay by now. Others wait on. */
export async function beginDue(
  db: Database,
  author: Author,
  conditions: readonly Condition[],
): Promise<void> {
  if (conditions.length === 0) return
  const ruled = await findRuled(db, author, conditions)
  const isOfPresence = conditions.some(({ type }) => type === 'device_offline')
  const countsFrom = isOfPresence ? await findCountsFrom(db) : ''
  const waiting: Timer[] = []
  const ready: Condition[] = []
  for (const { condition, place, rules, delay } of ruled) {
    const { condition_key: key, started_at, type } = condition
    const since = type === 'device_offline' && countsFrom > started_at ? countsFrom : started_at
    const due_at = addSeconds(since, delay)
    const now = asOfNow(condition, place, rules)
    if (due_at > author.now) waiting.push({ kind: 'begin', key, due_at, about: condition })
    else if (now) ready.push(now)
  }
  await setTimers(db, author.caller.organization_id, waiting)
  const gateways = new Map(
    ruled.map(({ condition, place }) => [condition.condition_key, place?.gateway_device_id ?? null]),
  )
  await openInOrder(db, author, ready, gateways)
}

/** Seconds that a device waits for the alarm of its gateway, which was lost with it or a moment later. */
const patience = 60

/** Gateways first: they explain what is attached to them. Who is due shortly before its gateway waits for that. */
async function openInOrder(
  db: Database,
  author: Author,
  ready: readonly Condition[],
  gatewayOf: ReadonlyMap<string, string | null>,
): Promise<void> {
  const gatewayKey = ({ condition_key, type }: Condition) => {
    const id = type === 'device_offline' ? gatewayOf.get(condition_key) : null
    return id ? conditionKey('device_offline', id) : undefined
  }
  const gateways = new Set(ready.flatMap(condition => gatewayKey(condition) ?? []))
  const waits = await findTimers(db, author.caller.organization_id, 'begin', [...gateways])
  const isEarly = (condition: Condition) => {
    const due = waits.get(gatewayKey(condition) ?? '')
    return due !== undefined && due <= addSeconds(author.now, patience)
  }
  const { early = [], timely = [] } = Object.groupBy(ready, condition =>
    isEarly(condition) ? 'early' : 'timely',
  )
  const later = early.map((about): Timer => {
    const due = waits.get(gatewayKey(about) ?? '') ?? ''
    const due_at = addSeconds(due > author.now ? due : author.now, 1)
    return { kind: 'begin', key: about.condition_key, due_at, about }
  })
  await setTimers(db, author.caller.organization_id, later)
  const { first = [], second = [] } = Object.groupBy(timely, ({ condition_key }) =>
    gateways.has(condition_key) ? 'first' : 'second',
  )
  await openAlarms(db, author, first)
  await openAlarms(db, author, second)
}
