import type { EventSubject, JournalEvent, JournalEvents } from '@gatehouse-access/api'
import { endEmergenciesOfPlan } from '../../doors/end-emergency.ts'
import { setFire } from '../../doors/fires.ts'
import { startEmergency } from '../../doors/start-emergency.ts'
import type { Write } from '../../store/write.ts'
import { isAcceptable } from './acceptable.ts'
import { followAlarms, type ReportedAlarm } from './alarm-effects.ts'
import { isOfErased, subjectOf } from './drafts.ts'
import type { References } from './references.ts'

/** An event, and when it happened by the clock of the service. */
export interface Timed {
  readonly event: JournalEvent
  readonly at: string
}

/**
 * Does for the whole organization what a device has done at its own doors: starts and ends emergencies, opens and
 * ends alarms, and remembers fires. In the order of the journal, and in its transaction.
 */
export async function followDevice(
  write: Write,
  references: References,
  happened: readonly Timed[],
): Promise<void> {
  const alarms: ReportedAlarm[] = []
  for (const { event, at } of happened) {
    if (event.type !== 'emergency' && event.type !== 'fire' && event.type !== 'alarm') continue
    if (!isAcceptable(references, event)) continue
    if (event.type === 'fire') await setFire(write, event.site_id, event.state, at)
    else if (event.type === 'emergency')
      await followEmergency(write, event, isOfErased(references, event) ? {} : subjectOf(event), at)
    else alarms.push({ event, at })
  }
  // Last: an emergency may explain them.
  if (alarms.length > 0) await followAlarms(write, references.device.id, alarms)
}

async function followEmergency(
  write: Write,
  event: JournalEvents['emergency'],
  subject: EventSubject,
  at: string,
): Promise<void> {
  const { action, emergency_plan_id } = event
  const caller = { ...write.caller, subject: () => subject }
  if (action === 'start') await startEmergency({ ...write, caller }, { emergency_plan_id, at })
  else await endEmergenciesOfPlan({ ...write, caller }, emergency_plan_id)
}
