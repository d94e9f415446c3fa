import type { JournalEvents } from '@gatehouse-access/api'
import { fromMicroseconds, toMicroseconds } from '@gatehouse-access/core'
import { beginConditions, endConditions } from '../../alarms/begin-conditions.ts'
import { type Condition, conditionKey, type End, isLate } from '../../alarms/condition.ts'
import type { Write } from '../../store/write.ts'

/** An alarm that a device has reported, and when it did so by the clock of the service. */
export interface ReportedAlarm {
  readonly event: JournalEvents['alarm']
  readonly at: string
}

/** What begins comes before what ends: no condition ends in it before it begins. */
interface Part {
  readonly begun: Map<string, Condition>
  readonly ended: Map<string, End>
}

/** Opens and ends alarms as a device did. A controller that was offline for hours brings many of them. */
export async function followAlarms(
  write: Write,
  device_id: string,
  reported: readonly ReportedAlarm[],
): Promise<void> {
  for (const { begun, ended } of partsOf(write.now, device_id, reported)) {
    await beginConditions(write.db, write, [...begun.values()])
    await endConditions(write.db, write, [...ended.values()])
  }
}

function* partsOf(now: string, device_id: string, reported: readonly ReportedAlarm[]): Generator<Part> {
  let part: Part = { begun: new Map(), ended: new Map() }
  for (const { event, at } of reported) {
    const { alarm_type: type, gadget_id, is_over } = event
    const condition_key = conditionKey(type, gadget_id)
    const isSecond = part.ended.has(condition_key) || (!is_over && part.begun.has(condition_key))
    if (isSecond) {
      yield part
      part = { begun: new Map(), ended: new Map() }
    }
    const started_at = shifted(event, event.started_at, at)
    if (is_over)
      part.ended.set(condition_key, {
        condition_key,
        ended_at: shifted(event, event.ended_at ?? event.occurred_at, at),
      })
    else {
      const is_late = isLate(started_at, now)
      part.begun.set(condition_key, { type, condition_key, device_id, gadget_id, started_at, is_late })
    }
  }
  yield part
}

/** A time of the device by the clock of the service, which may have corrected that of the event. Never after it. */
function shifted({ occurred_at }: JournalEvents['alarm'], time: string, at: string): string {
  const moved = toMicroseconds(at) - toMicroseconds(occurred_at) + toMicroseconds(time)
  return fromMicroseconds(Math.min(moved, toMicroseconds(at)))
}
