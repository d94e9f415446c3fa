import { messageOf } from '@gatehouse-access/core'
import type { Driven, Driver } from '../drivers/driver.ts'
import type { Platform } from '../platform.ts'
import type { DoorState } from './door-state.ts'
import { actionFor, type DoorGadget } from './position.ts'

/** Microseconds that an order of a mode may take, and one of an orderly stop. */
const patience = 8e6
const stopPatience = 2e6

/** Orders to the locks of doors. */
export class DoorOrders {
  readonly #driver: Driver
  readonly #platform: Platform

  constructor(driver: Driver, platform: Platform) {
    this.#driver = driver
    this.#platform = platform
  }

  /** Brings a lock to where its mode wants it. */
  async run({ gadget, record, wanted }: DoorState): Promise<Driven> {
    const action = wanted === null ? null : actionFor(gadget, record.mode, wanted)
    if (action === null || record.position === wanted) return { outcome: 'done' }
    const driven = await this.#ask(gadget, action, patience)
    const cannotHold = wanted === 'held' && gadget.door.hold_action_id == null
    return cannotHold ? { outcome: 'failed', reason: 'cannot_hold' } : driven
  }

  secure(gadget: DoorGadget): Promise<Driven> {
    return this.#ask(gadget, gadget.door.secure_action_id ?? '', stopPatience)
  }

  /** Hardware that does not answer in time has failed. */
  #ask({ id: gadget_id }: DoorGadget, action_id: string, microseconds: number): Promise<Driven> {
    const before = this.#platform.monotonic() + microseconds
    return Promise.try(() => this.#driver.run({ gadget_id, action_id, before })).catch(error => ({
      outcome: 'failed',
      reason: messageOf(error),
    }))
  }
}
