import type { Config } from '../config/config.ts'
import type { Clock } from '../flow/clock.ts'
import { openZoneFolder } from './folder/open-folder.ts'
import { runtimeSource } from './runtime-source.ts'
import { ZoneTables } from './zone-data.ts'

/** Opens the zone data: that of GATEHOUSE_TZDATA, or else that of the runtime. */
export function openZones({ tzdata_dir }: Pick<Config, 'tzdata_dir'>, clock: Clock): ZoneTables {
  return new ZoneTables(tzdata_dir ? openZoneFolder(tzdata_dir) : runtimeSource, clock)
}
