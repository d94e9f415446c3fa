import { followFirmware, type Lacking } from '../../alarms/sources/device-firmware.ts'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { setMissingCapabilities } from '../../store/reports.ts'
import type { LiveSlice } from './live-slice.ts'

/** Stores with the devices what they lack, where that has changed. */
export async function tellMissing(db: Database, slices: Iterable<LiveSlice>, clock: Clock): Promise<void> {
  const changed = [...slices].filter(slice => slice.missing_told !== slice.places.missing.join(' '))
  if (changed.length === 0) return
  for (let start = 0; start < changed.length; start += batch) {
    const part = changed.slice(start, start + batch)
    await store(db, part.map(lackingOf), clock.now())
    for (const slice of part) slice.missing_told = slice.places.missing.join(' ')
  }
}

const batch = 200

function lackingOf({ organization_id, device_id, places }: LiveSlice): Lacking {
  return { organization_id, device_id, missing: places.missing }
}

function store(db: Database, lacking: readonly Lacking[], now: string): Promise<void> {
  return db.transaction(async inner => {
    await setMissingCapabilities(inner, lacking)
    await followFirmware(inner, lacking, now)
  })
}
