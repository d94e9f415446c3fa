import type { EventObject, EventSubject } from '@gatehouse-access/api'

/** A request to a gadget's device to run an action. */
export interface Command {
  readonly organization_id: string
  readonly device_id: string
  readonly gadget_id: string
  readonly action_id: string
  /** Null for a virtual device. */
  readonly hardware_id: string | null
  /** Written once the device is done, even if too late for the caller. Absent if written elsewhere. */
  readonly event?: { readonly subject: EventSubject; readonly object: EventObject }
}

/**
 * `done`: done, and the event is written. `offline`: nothing was done. `failed`: the hardware failed.
 * `refused`: the device did not try. `timed_out`: it is unknown whether the action ran.
 */
export type Outcome = 'done' | 'failed' | 'refused' | 'offline' | 'timed_out'

/** Runs commands on devices connected to any process. */
export interface CommandBus {
  run(command: Command): Promise<Outcome>
}
