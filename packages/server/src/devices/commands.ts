/** What a gadget's device is asked to do. */
export interface Command {
  readonly organization_id: string
  readonly device_id: string
  readonly gadget_id: string
  readonly action_id: string
  /** Null: a virtual device. */
  readonly hardware_id: string | null
  /** Called when the device reports `done` after the caller was told `timed_out`. */
  onLate?(): Promise<void>
}

/**
 * `offline`: nothing was done. `failed`: the hardware did not do it. `refused`: the device did not try. `timed_out`: whether it was
 * done is unknown.
 */
export type Outcome = 'done' | 'failed' | 'refused' | 'offline' | 'timed_out'

/** The way to devices, wherever they are connected. */
export interface CommandBus {
  run(command: Command): Promise<Outcome>
}

/** Virtual devices always succeed; there is no connection to real ones in this process. */
export const localCommandBus: CommandBus = {
  run: async ({ hardware_id }) => (hardware_id === null ? 'done' : 'offline'),
}
