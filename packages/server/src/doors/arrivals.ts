import { resources } from '@gatehouse-access/api'
import { findObject } from '../store/find.ts'
import { updateObject, type Write } from '../store/write.ts'

type Kind = 'arrivals' | 'departures'

/** Far more than matter at once. What no longer matters is forgotten every hour. */
const most = 1000

/**
 * Remembers that a first person came, so that the present period of a rule is live. Whether it is an arrival, says
 * `arrivalsBy`. The subject of the event is the caller's: the member. Needs a transaction.
 */
export function recordArrival(write: Write, ruleId: string, at: string): Promise<boolean> {
  return record(write, ruleId, 'arrivals', at)
}

/** Remembers that the last person left. Whether that ends something, says `departuresBy`. Needs a transaction. */
export function recordDeparture(write: Write, ruleId: string, at: string): Promise<boolean> {
  return record(write, ruleId, 'departures', at)
}

async function record(write: Write, ruleId: string, kind: Kind, at: string): Promise<boolean> {
  const { db, caller } = write
  const reach = { organization_id: caller.organization_id }
  const rule = await findObject(db, resources.unlock_rule, reach, ruleId, {
    lock: true,
    hidden: ['arrivals', 'departures'],
  })
  if (!rule || rule.is_deleted || rule[kind].includes(at)) return false
  await updateObject(write, resources.unlock_rule, rule, { [kind]: [...rule[kind], at].sort().slice(-most) })
  return true
}
