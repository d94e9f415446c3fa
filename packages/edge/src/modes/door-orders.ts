import { messageOf } from '@gatehouse-access/core'
import type { Driven, Driver } from '../drivers/driver.ts'
import { type Platform, sleep } from '../platform.ts'
import type { DoorState } from './door-state.ts'
import { actionFor, type DoorGadget } from './position.ts'

/** Microseconds that an order of a mode may take, and one of an orderly stop. */
const patience = 8e6
const stopPatience = 2e6

/**
 * Orders to the locks of doors. An order never waits for an older one that is under way. But hardware may complete
 * them in another order, so the newer one is then given once more, and only that counts.
 */
export class DoorOrders {
  readonly #driver: Driver
  readonly #platform: Platform
  /** The orders that are under way, by gadget. */
  readonly #underWay = new Map<string, Set<Promise<unknown>>>()

  constructor(driver: Driver, platform: Platform) {
    this.#driver = driver
    this.#platform = platform
  }

  /** Brings a lock to where its mode wants it. `isCurrent`: whether no newer order was given meanwhile. */
  async run({ gadget, record, wanted }: DoorState, isCurrent: () => boolean): Promise<Driven> {
    const action = wanted === null ? null : actionFor(gadget, record.mode, wanted)
    const isThere = record.position === wanted && !this.#underWay.has(gadget.id)
    if (action === null || isThere) return { outcome: 'done' }
    const driven = await this.#askLast(gadget, action, isCurrent)
    const cannotHold = wanted === 'held' && gadget.door.hold_action_id == null
    return cannotHold ? { outcome: 'failed', reason: 'cannot_hold' } : driven
  }

  secure(gadget: DoorGadget): Promise<Driven> {
    return this.#ask(gadget, gadget.door.secure_action_id ?? '', stopPatience)
  }

  async #askLast(gadget: DoorGadget, action: string, isCurrent: () => boolean): Promise<Driven> {
    const older = [...(this.#underWay.get(gadget.id) ?? [])]
    const driven = await this.#ask(gadget, action, patience)
    if (older.length === 0 || driven.outcome === 'failed') return driven
    // One that has not been started by then never is.
    await Promise.race([Promise.all(older), sleep(this.#platform, patience / 1000)])
    return isCurrent() ? this.#ask(gadget, action, patience) : driven
  }

  /** Hardware that does not answer in time has failed. */
  async #ask({ id: gadget_id }: DoorGadget, action_id: string, microseconds: number): Promise<Driven> {
    const before = this.#platform.monotonic() + microseconds
    const asked = Promise.try(() => this.#driver.run({ gadget_id, action_id, before })).catch(
      (error): Driven => ({ outcome: 'failed', reason: messageOf(error) }),
    )
    const orders = this.#underWay.get(gadget_id) ?? new Set()
    this.#underWay.set(gadget_id, orders.add(asked))
    const driven = await asked
    orders.delete(asked)
    if (orders.size === 0) this.#underWay.delete(gadget_id)
    return driven
  }
}
