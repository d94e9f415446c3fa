import type { EventObject, EventSubject } from '@gatehouse/api'

/** What a gadget's device is asked to do. */
export interface Command {
  readonly organization_id: string
  readonly device_id: string
  readonly gadget_id: string
  readonly action_id: string
  /** Null: a virtual device. */
  readonly hardware_id: string | null
  /** Written when the device has done it, also when that is heard too late for the caller; absent: somebody else does. */
  readonly event?: { readonly subject: EventSubject; readonly object: EventObject }
}

/**
 * `done`: and the event is written. `offline`: nothing was done. `failed`: the hardware did not do it. `refused`: the device did
 * not try. `timed_out`: whether it was done is unknown.
 */
export type Outcome = 'done' | 'failed' | 'refused' | 'offline' | 'timed_out'

/** The way to devices, wherever they are connected. */
export interface CommandBus {
  run(command: Command): Promise<Outcome>
}
