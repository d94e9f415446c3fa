import type { SimulatedFault } from '@gatehouse-access/api'
import type { KeypadPause, KeypadState } from '@gatehouse-access/core'
import type { AlarmMemory, DoorMemory } from '@gatehouse-access/edge/controller'
import type { Database } from '../../database/db.ts'
import { nextClosing, type OpenDoors } from './doors.ts'

export interface DeviceKey {
  readonly organization_id: string
  readonly device_id: string
}

/** State of a virtual device between requests, except its offline data (`offline-memory.ts`). */
export interface VirtualState {
  readonly is_online: boolean
  readonly fault: SimulatedFault | null
  readonly fault_until: string | null
  readonly keypad: KeypadState | null
  readonly keypad_pause: KeypadPause | null
  readonly schedules_seen_at: string | null
  readonly states: Readonly<Record<string, string>> | null
  readonly open_doors: OpenDoors
  /** What it remembers of the modes of its doors. */
  readonly doors: DoorMemory | null
  /** What it remembers of the alarms at its doors. */
  readonly alarms: AlarmMemory | null
  /** When the mode of a door may next be another one, or an alarm begins or ends. */
  readonly turns_at: string | null
  /** Whether the device went offline and stored a slice, which it keeps until it is online again. */
  readonly is_away: boolean
  /** Number of buffered events. */
  readonly held_back: number
}

const columns =
  'is_online, fault, fault_until, keypad, keypad_pause, schedules_seen_at, states, open_doors, doors, alarms, turns_at'

/** Locks a virtual device, so that one request at a time uses it across all processes. */
export async function holdState(
  db: Database,
  { organization_id, device_id }: DeviceKey,
): Promise<VirtualState> {
  const key = [organization_id, device_id]
  await db.query(
    'INSERT INTO virtual_devices (organization_id, device_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    key,
  )
  const [row] = await db.query<VirtualState & object>(
    `SELECT ${columns}, slice IS NOT NULL AS is_away, jsonb_array_length(journal) AS held_back FROM virtual_devices WHERE organization_id = $1 AND device_id = $2 FOR UPDATE`,
    key,
  )
  if (!row) throw new Error('the state of a virtual device is gone')
  return row
}

export async function saveState(
  db: Database,
  { organization_id, device_id }: DeviceKey,
  state: VirtualState,
): Promise<void> {
  await db.query(
    `UPDATE virtual_devices SET (${columns}, closes_at) = ($3, $4, $5, $6::jsonb, $7::jsonb, $8, $9::jsonb, $10::jsonb, $11::jsonb, $12::jsonb, $13, $14)
     WHERE organization_id = $1 AND device_id = $2`,
    [
      organization_id,
      device_id,
      state.is_online,
      state.fault,
      state.fault_until,
      state.keypad,
      state.keypad_pause,
      state.schedules_seen_at,
      state.states,
      state.open_doors,
      state.doors,
      state.alarms,
      state.turns_at,
      nextClosing(state.open_doors),
    ],
  )
}

/** Returns the fault unless it has expired. */
export function faultAt(
  state: Pick<VirtualState, 'fault' | 'fault_until'>,
  now: string,
): SimulatedFault | null {
  return state.fault !== null && now < (state.fault_until ?? '') ? state.fault : null
}

/** Whether the device can reach the service. */
export function isReachable(
  state: Pick<VirtualState, 'is_online' | 'fault' | 'fault_until'>,
  now: string,
): boolean {
  return state.is_online && faultAt(state, now) !== 'lost_network'
}
