import type { DeviceCapability } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { setMissingCapabilities } from '../../store/reports.ts'
import type { LiveSlice } from './live-slice.ts'
import type { Places } from './places.ts'

/**
 * Whether a device can read rows that name a schedule. Special days and exceptions would be open for a device
 * that knows only weekdays.
 */
export function readsSchedule(
  capabilities: ReadonlySet<DeviceCapability>,
  { schedules }: Places,
  scheduleId: string | null | undefined,
): boolean {
  if (!scheduleId || capabilities.has('schedule_exceptions')) return true
  const schedule = schedules.get(scheduleId)
  return !schedule?.special_days && !schedule?.exceptions
}

/** Stores with the devices what they lack, where that has changed. */
export async function tellMissing(db: Database, slices: Iterable<LiveSlice>): Promise<void> {
  const changed = [...slices].filter(slice => slice.missing_told !== slice.places.missing.join(' '))
  if (changed.length === 0) return
  const rows = changed.map(({ organization_id, device_id, places }) => ({
    organization_id,
    device_id,
    missing: places.missing,
  }))
  await setMissingCapabilities(db, rows)
  for (const slice of changed) slice.missing_told = slice.places.missing.join(' ')
}
