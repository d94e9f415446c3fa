import type { DoorAlarmType, DoorWatch } from '@gatehouse-access/core'

/** An alarm that is on. */
export interface OpenAlarm {
  readonly started_at: string
  /** Whether the journal has its beginning, and so has to have its end. */
  readonly is_told: boolean
}

/** A door with a contact. */
export interface MonitoredDoor {
  readonly watch: DoorWatch
  readonly alarms: { readonly [Type in DoorAlarmType]?: OpenAlarm }
  /** Whether its mode holds it open, and whether an action does that no mode asked for. */
  readonly is_unlocked: boolean
  readonly is_held: boolean
}

/**
 * What a device knows of the alarms at its doors. It is one note on the disk, written together with the events
 * that follow from it.
 */
export interface AlarmMemory {
  /** The boot of the machine to whose monotonic clock all times belong. */
  readonly boot_id: string
  /** Whether the service takes in alarms. An older one would refuse the journal. */
  readonly is_wanted: boolean
  /** By gadget. */
  readonly doors: Readonly<Record<string, MonitoredDoor>>
}

export function emptyAlarms(boot_id: string, is_wanted = false): AlarmMemory {
  return { boot_id, is_wanted, doors: {} }
}
