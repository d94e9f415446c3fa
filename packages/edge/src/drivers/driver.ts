import type { FromDevice } from '@gatehouse-access/api'

/** An action for the hardware to perform. */
export interface Order {
  readonly gadget_id: string
  readonly action_id: string
  /** A monotonic time in microseconds. From then on, the action must not be started. */
  readonly before: number
}

export type Driven = { readonly outcome: 'done' } | { readonly outcome: 'failed'; readonly reason: string }

export type PowerStatus = Omit<FromDevice<'status'>, 'type' | 'device_id'>

/** The hardware: everything between the controller and the doors. */
export interface Driver {
  run(order: Order): Promise<Driven>
  /** Returns the power status, as far as the hardware knows it. */
  power(): PowerStatus
}

/** Inputs from the hardware to the controller. */
export interface Inputs {
  press(hardware_id: string | null, key: string): void
  tap(hardware_id: string | null, uid: string): void
  present(hardware_id: string | null, method: 'bluetooth' | 'mobile_nfc', pass: string): void
  /** `isReading`: how it is, whenever it became so. Otherwise it has just changed. */
  reportState(gadget_id: string, state_id: string, isReading?: boolean): void
  reportSignal(gadget_id: string, signal_id: string): void
}
