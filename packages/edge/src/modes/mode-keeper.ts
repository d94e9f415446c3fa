import type { FromDevice } from '@gatehouse-access/api'
import { messageOf } from '@gatehouse-access/core'
import type { EdgeClock } from '../clock.ts'
import type { Driven, Driver } from '../drivers/driver.ts'
import type { Log, Platform } from '../platform.ts'
import type { EventDraft, Recorder } from '../recorder.ts'
import type { DrivenDoor, Position } from './door-memory.ts'
import { DoorOrders } from './door-orders.ts'
import {
  beginDoor,
  compareMode,
  type DoorState,
  inMode,
  noMode,
  reportOf,
  withOutcome,
} from './door-state.ts'
import type { DoorStore } from './door-store.ts'
import type { DoorTask } from './look-at-doors.ts'
import { type DoorGadget, isConcerned, positionAfter, staysHeld } from './position.ts'

export type DoorReport = FromDevice<'doors'>['doors'][number]

interface KeeperParts {
  readonly platform: Platform
  readonly clock: EdgeClock
  readonly recorder: Recorder
  readonly driver: Driver
  readonly log: Log
  /** What ended the mode that the door had, if it ended by itself. */
  causeOf(before: DrivenDoor): DrivenDoor['cause']
}

/** In microseconds: how long to wait for the disk, and how long the lock may be where it should not be. */
const diskPatience = 1e6
const tolerance = 10e6
/** Times that hardware which did its part before may fail until the journal says so. */
const forgiven = 3

/**
 * Makes doors what they have to be. It compares levels and reacts to no edges, so after a restart or an outage
 * nothing was missed.
 *
 *   another mode ──▶ on the disk ──▶ driven ──▶ done or failed, in the journal and told to the service
 *                                      ▲── failed; or something else moved the lock and left it so for 10 s ──┘
 *
 * A newer mode never waits for an order that is under way: its own order follows at once, and once more after the
 * older one has ended, whose outcome no longer counts. A disk that does not answer does not keep a door from being driven.
 */
export class ModeKeeper {
  readonly #parts: KeeperParts
  readonly #store: DoorStore
  readonly #orders: DoorOrders
  readonly #doors = new Map<string, DoorState>()
  readonly #running = new Set<Promise<void>>()
  #outcomes: { readonly state: DoorState; readonly event: EventDraft | null }[] = []
  /** Tells the service about doors. */
  onReport: (doors: DoorReport[]) => void = () => {}

  constructor(parts: KeeperParts, store: DoorStore) {
    this.#parts = parts
    this.#store = store
    this.#orders = new DoorOrders(parts.driver, parts.platform)
  }

  /** After a start, nobody knows what the hardware did meanwhile. Doors in a mode are driven again. */
  doubtAll(): void {
    const driven = Object.entries(this.#store.memory.driven).map(([id, record]) => [
      id,
      { ...record, position: null },
    ])
    this.#doors.clear()
    if (driven.length === 0) return
    void this.#store.put({ ...this.#store.memory, driven: Object.fromEntries(driven) })
  }

  /** `doors`: all doors of the device. */
  follow(doors: readonly DoorTask[]): void {
    this.#forgetExcept(new Set(doors.map(({ gadget }) => gadget.id)))
    const changed = doors.map(door => this.#take(door)).filter(state => state !== null)
    if (changed.length === 0) return
    const written = this.#write(changed)
    for (const state of changed) if (state.record.outcome === null) this.#drive(state, written)
  }

  /** Drives again what is due, and what waits for the disk for too long. Called once a second. */
  redo(): void {
    const now = this.#parts.platform.monotonic()
    for (const state of this.#doors.values()) {
      if (state.waits_since + diskPatience <= now) state.go()
      if (state.due <= now) this.#driveAgain(state)
    }
    this.#report(true)
  }

  /** Something else than the mode has moved the lock, or the hardware reports where it is. */
  observe(gadgetId: string, position: Position): void {
    const state = this.#doors.get(gadgetId)
    if (!state || state.wanted === null || !isConcerned(state.record)) return
    const isRight = position === state.wanted
    if (isRight !== (state.record.position === state.wanted))
      state.record = { ...state.record, position: isRight ? position : null }
    if (!isRight) state.due = Math.min(state.due, this.#parts.platform.monotonic() + tolerance)
    else if (state.record.outcome === 'done') state.due = Infinity
  }

  /** An action that something else than the mode has run. */
  observeAction(gadget: DoorGadget, actionId: string): void {
    const position = positionAfter(gadget, actionId)
    if (position) this.observe(gadget.id, position)
    else if (actionId === gadget.door.release_action_id) this.#holdAgain(gadget)
  }

  /** Whether the door is held open, so that it need not be released. */
  isHeld(gadgetId: string): boolean {
    const { position, outcome } = this.#doors.get(gadgetId)?.record ?? noMode
    return position === 'held' && outcome === 'done'
  }

  /** Tells the service about all doors, as soon as all are driven. */
  reportAll(): void {
    for (const state of this.#doors.values()) state.is_reported = false
    this.#report()
  }

  /** Resolves when everything is driven and written. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
    await this.#parts.recorder.write()
  }

  /** An orderly stop. */
  async stop(): Promise<void> {
    const held = [...this.#doors.values()].filter(
      ({ gadget, record }) => record.position === 'held' && !staysHeld(gadget, record.mode),
    )
    await Promise.all(held.map(({ gadget }) => this.#orders.secure(gadget)))
    for (const state of held) state.record = { ...state.record, position: 'secured' }
    if (held.length > 0) await this.#write(held)
  }

  /** Returns the door if there is something new about its mode. */
  #take({ gadget, mode }: DoorTask): DoorState | null {
    const before = this.#doors.get(gadget.id) ?? beginDoor(gadget, this.#store.memory.driven[gadget.id])
    this.#doors.set(gadget.id, before)
    const difference = compareMode(before, gadget, mode)
    if (difference === 'mode') {
      const state = inMode(before, gadget, mode, this.#parts.causeOf(before.record))
      this.#doors.set(gadget.id, state)
      return state
    }
    before.gadget = gadget
    if (difference === 'same') return null
    const { unlock_rule_id, emergency_ids } = mode
    before.record = { ...before.record, unlock_rule_id, emergency_ids }
    before.is_reported = false
    return before
  }

  /** A door that is no longer one, or belongs to another device, is not left open. */
  #forgetExcept(ids: ReadonlySet<string>): void {
    for (const [id, { gadget, record }] of this.#doors) {
      if (ids.has(id)) continue
      this.#doors.delete(id)
      if (record.position === 'held' && record.mode !== 'evacuation') void this.#orders.secure(gadget)
    }
    const { driven } = this.#store.memory
    const kept = Object.entries(driven).filter(([id]) => ids.has(id))
    if (kept.length < Object.keys(driven).length)
      void this.#store.put({ ...this.#store.memory, driven: Object.fromEntries(kept) })
  }

  #drive(state: DoorState, written = Promise.resolve()): void {
    const run = this.#run(state, ++state.attempt, written).catch(error =>
      this.#parts.log.error(`door ${state.gadget.id}: ${messageOf(error)}`),
    )
    this.#running.add(run)
    void run.finally(() => this.#running.delete(run))
  }

  async #run(state: DoorState, attempt: number, written: Promise<void>): Promise<void> {
    const isCurrent = () => this.#doors.get(state.gadget.id) === state && state.attempt === attempt
    const { promise, resolve } = Promise.withResolvers<void>()
    state.go = resolve
    state.waits_since = this.#parts.platform.monotonic()
    void written.then(resolve)
    await promise
    if (!isCurrent()) return
    state.waits_since = Infinity
    const driven = await this.#orders.run(state, isCurrent)
    if (isCurrent()) this.#settle(state, driven)
  }

  #driveAgain(state: DoorState): void {
    state.due = Infinity
    state.record = { ...state.record, position: null }
    this.#drive(state)
  }

  /** A release ends with the lock falling back, also where it was held before. */
  #holdAgain({ id, door }: DoorGadget): void {
    const state = this.#doors.get(id)
    if (state?.wanted !== 'held' || state.record.outcome === null) return
    this.#driveAgain(state)
    state.due = this.#parts.platform.monotonic() + Math.max(tolerance, (door.release_seconds ?? 5) * 1e6)
  }

  /** Outcomes that come together are written and told together. */
  #settle(state: DoorState, driven: Driven): void {
    const event = withOutcome(state, driven, forgiven)
    if (driven.outcome === 'failed') this.#tryLater(state, driven.reason)
    if (this.#outcomes.length === 0) queueMicrotask(() => this.#note())
    this.#outcomes.push({ state, event })
  }

  #tryLater(state: DoorState, reason: string): void {
    state.due = this.#parts.platform.monotonic() + Math.min(1e6 * 2 ** (state.tries - 1), tolerance)
    if (state.tries === 1)
      this.#parts.log.error(
        `door ${state.gadget.id} could not be ${state.wanted} (${state.record.mode}): ${reason}`,
      )
  }

  #note(): void {
    const outcomes = this.#outcomes
    this.#outcomes = []
    for (const { event } of outcomes) if (event) this.#parts.recorder.append(event, this.#parts.clock.now())
    void this.#write(outcomes.map(({ state }) => state))
    this.#report()
  }

  /** A door that is back in nobody's hands need not be remembered. */
  #write(states: readonly DoorState[]): Promise<void> {
    const driven = { ...this.#store.memory.driven }
    for (const { gadget } of states) {
      const record = this.#doors.get(gadget.id)?.record
      if (record && isConcerned(record)) driven[gadget.id] = record
      else delete driven[gadget.id]
    }
    return this.#store.put({ ...this.#store.memory, driven })
  }

  /** All together, when all are driven. One whose hardware is slow holds up the others for a second at most. */
  #report(isLate = false): void {
    const states = [...this.#doors.values()]
    if (!isLate && states.some(({ record }) => record.outcome === null)) return
    const news = states.filter(({ is_reported, record }) => !is_reported && record.outcome !== null)
    for (const state of news) state.is_reported = true
    if (news.length > 0) this.onReport(news.map(reportOf))
  }
}
