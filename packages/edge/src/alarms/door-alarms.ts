import {
  type AlarmChange,
  type DoorInput,
  fromMicroseconds,
  isHeldOpen,
  messageOf,
  startWatch,
  watchDoor,
} from '@gatehouse-access/core'
import type { EdgeClock } from '../clock.ts'
import type { DoorTask } from '../modes/look-at-doors.ts'
import { type DoorGadget, isDoor } from '../modes/position.ts'
import type { Log, Platform } from '../platform.ts'
import type { EdgePolicy } from '../policy/slice-policy.ts'
import type { EventDraft, Recorder } from '../recorder.ts'
import { type AlarmMemory, emptyAlarms, type MonitoredDoor } from './alarm-memory.ts'
import type { DoorAction } from './door-action.ts'
import { hasContact, levelOf, meaningOf, newDoor, optionsOf, restarted } from './monitored.ts'
import { noteAlarm, tellAlarms } from './note-alarm.ts'

interface AlarmParts {
  readonly platform: Platform
  readonly clock: EdgeClock
  readonly recorder: Recorder
  readonly log: Log
  readonly policy: EdgePolicy
  device_id(): string | undefined
  states(): Readonly<Record<string, string>>
  /** Runs the triggers of an alarm. */
  sound(gadget_id: string, change: AlarmChange): void
  /** Runs something later. Without it, somebody else has to call `tick` when something is due. */
  later?: Platform['later']
}

/** In microseconds: what a contact says for the first time within so long after a start is how it is, not a change. */
const startGrace = 5e6

/**
 * Watches the doors of one device and raises their alarms (docs/door-monitoring.md), also without a network and a
 * sure clock. It only watches: whatever goes wrong here, doors are released and people let out as before.
 *
 *   contact, exit, release, mode, tampering ──▶ watchDoor ──▶ memory and event in one write ──▶ uploaded
 *                                                        └──▶ triggers, at once
 */
export class DoorAlarms {
  readonly #parts: AlarmParts
  #memory: AlarmMemory
  /** By gadget. */
  readonly #due = new Map<string, number>()
  /** Doors whose contact has said how it is since the start. */
  readonly #heard = new Set<string>()
  #startedAt = -Infinity
  #cancelWake: () => void = () => {}

  constructor(parts: AlarmParts, stored: AlarmMemory | undefined) {
    this.#parts = parts
    const { boot_id } = parts.platform
    this.#memory = isWhole(stored) ? stored : emptyAlarms(boot_id)
    if (this.#memory.boot_id !== boot_id) this.#guard(() => this.#restart())
  }

  get memory(): AlarmMemory {
    return this.#memory
  }

  /** When `tick` has something to do, by the monotonic clock; Infinity if nothing is due. */
  get due(): number {
    return Math.min(Infinity, ...this.#due.values())
  }

  /** Called when the controller starts. Nobody knows what happened at the doors before. */
  start(): void {
    this.#guard(() => {
      this.#startedAt = this.#parts.platform.monotonic()
      this.#heard.clear()
      this.#restart()
      for (const gadget of this.#gadgets()) this.#read(gadget)
    })
  }

  stop(): void {
    this.#cancelWake()
  }

  /** Whether the service takes in alarms. One that begins to is told those that are on. */
  accept(is_wanted: boolean): void {
    if (is_wanted === this.#memory.is_wanted) return
    this.#memory = { ...this.#memory, is_wanted }
    this.#guard(() => (is_wanted ? this.#tellOpen() : this.#write([])))
  }

  /** A gadget of this device reports a state. `isReading`: how it is, whenever it became so. */
  sense(gadget_id: string, state_id: string, isReading = false, at = this.#now()): void {
    this.#guard(() => {
      const gadget = this.#gadget(gadget_id)
      const is_open = gadget ? levelOf(gadget, state_id) : null
      if (!gadget || is_open === null) return
      const isFirst = !this.#heard.has(gadget_id) && at < this.#startedAt + startGrace
      this.#heard.add(gadget_id)
      this.#take(gadget, { type: 'contact', at, is_open, is_reading: isReading || isFirst })
    })
  }

  signal(gadget_id: string, signal_id: string): void {
    this.#guard(() => {
      const gadget = this.#gadget(gadget_id)
      const at = this.#now()
      if (gadget?.door.exit_signal_id === signal_id) this.#take(gadget, { type: 'exit', at })
      if (gadget?.door.tamper_signal_id === signal_id) this.#take(gadget, { type: 'tamper', at })
    })
  }

  /** An action was run, by whomever. */
  observe(gadget_id: string, { action_id, since, is_for_member = false }: DoorAction): void {
    this.#guard(() => {
      const gadget = this.#gadget(gadget_id)
      const meaning = gadget && meaningOf(gadget, action_id)
      if (!gadget || !meaning) return
      const at = this.#now()
      if (meaning === 'release')
        this.#take(gadget, { type: 'release', at, since: since ?? at, is_for_member })
      else this.#hold(gadget, { is_held: meaning === 'hold' }, at)
    })
  }

  /** `tasks`: all doors of the device with their modes. */
  follow(tasks: readonly DoorTask[], at = this.#now()): void {
    this.#guard(() => {
      const watched = tasks.filter(({ gadget }) => hasContact(gadget))
      this.#forgetExcept(new Set(watched.map(({ gadget }) => gadget.id)))
      for (const { gadget, mode } of watched) {
        const is_unlocked = isHeldOpen(mode.effective)
        const door = this.#door(gadget)
        // What a mode secures is no longer held by an action of before.
        const isSecured = !is_unlocked && (door.is_unlocked || mode.source !== 'default')
        this.#hold(gadget, { is_unlocked, is_held: door.is_held && !isSecured }, at)
      }
    })
  }

  /** Called when something is due, and once a second. */
  tick(at = this.#now()): void {
    this.#guard(() => {
      const due = [...this.#due].filter(([, when]) => when <= at)
      for (const [id] of due) {
        const gadget = this.#gadget(id)
        if (gadget) this.#take(gadget, { type: 'tick', at })
        else this.#due.delete(id)
      }
      this.#wake()
    })
  }

  #restart(): void {
    const at = this.#now()
    const doors = Object.entries(this.#memory.doors).map(([id, door]) => {
      const gadget = this.#gadget(id)
      const isOpen = gadget && levelOf(gadget, this.#parts.states()[id])
      return [id, restarted(door, isOpen ?? false, at)]
    })
    this.#due.clear()
    this.#memory = {
      ...this.#memory,
      boot_id: this.#parts.platform.boot_id,
      doors: Object.fromEntries(doors),
    }
  }

  /** Takes over what was known of the contact before the start. */
  #read(gadget: DoorGadget): void {
    const is_open = levelOf(gadget, this.#parts.states()[gadget.id])
    if (is_open !== null) this.#take(gadget, { type: 'contact', at: this.#now(), is_open, is_reading: true })
  }

  #hold(gadget: DoorGadget, how: Partial<MonitoredDoor>, at: number): void {
    const before = this.#door(gadget)
    const door = { ...before, ...how }
    if (door.is_held !== before.is_held || door.is_unlocked !== before.is_unlocked) this.#put(gadget.id, door)
    if (door.is_held !== before.is_held) this.#write([])
    const is_unlocked = door.is_unlocked || door.is_held
    if (is_unlocked !== (door.watch.unlocked_since !== null))
      this.#take(gadget, { type: 'mode', at, is_unlocked })
    else if (!this.#due.has(gadget.id)) this.#take(gadget, { type: 'tick', at })
  }

  #take(gadget: DoorGadget, input: DoorInput): void {
    const before = this.#door(gadget)
    const { watch, changes, due } = watchDoor(before.watch, input, optionsOf(gadget))
    this.#put(gadget.id, { ...before, watch })
    this.#due.set(gadget.id, due)
    if (changes.length > 0) this.#tell(gadget.id, changes)
    this.#wake()
  }

  /** Memory and events are one write: what the service hears of is on the disk. */
  #tell(gadgetId: string, changes: readonly AlarmChange[]): void {
    const events = changes.flatMap(change => this.#note(gadgetId, change))
    this.#write(events)
    for (const change of changes) this.#parts.sound(gadgetId, change)
  }

  /** Returns the event for the journal, if the service wants it. */
  #note(gadgetId: string, change: AlarmChange): EventDraft[] {
    const door = this.#memory.doors[gadgetId]
    if (!door) return []
    const noted = noteAlarm(gadgetId, door, change, this.#timeOf(change.at), this.#memory.is_wanted)
    this.#put(gadgetId, noted.door)
    return noted.events
  }

  #tellOpen(): void {
    const told = Object.entries(this.#memory.doors).map(([id, door]) => ({ id, ...tellAlarms(id, door) }))
    for (const { id, door } of told) this.#put(id, door)
    this.#write(told.flatMap(({ events }) => events))
  }

  #write(events: readonly EventDraft[]): void {
    const { clock, recorder } = this.#parts
    const note = { type: 'note', notes: { alarms: this.#memory } } as const
    if (events.length === 0) void recorder.write(note)
    for (const event of events) recorder.append(event, clock.now(), note)
  }

  /** A door that is no longer one, or has no contact any more, has no alarms either. */
  #forgetExcept(ids: ReadonlySet<string>): void {
    for (const [id, { alarms }] of Object.entries(this.#memory.doors)) {
      if (ids.has(id)) continue
      const changes = Object.keys(alarms).map(
        type => ({ type: type as AlarmChange['type'], event: 'end', at: this.#now() }) as const,
      )
      if (changes.length > 0) this.#tell(id, changes)
      const { [id]: _, ...doors } = this.#memory.doors
      this.#memory = { ...this.#memory, doors }
      this.#due.delete(id)
    }
  }

  #door(gadget: DoorGadget): MonitoredDoor {
    const known = this.#memory.doors[gadget.id]
    if (known) return known
    const isOpen = levelOf(gadget, this.#parts.states()[gadget.id]) ?? false
    return newDoor(startWatch(this.#now(), isOpen))
  }

  #put(gadgetId: string, door: MonitoredDoor): void {
    this.#memory = { ...this.#memory, doors: { ...this.#memory.doors, [gadgetId]: door } }
  }

  #wake(): void {
    this.#cancelWake()
    const wait = (this.due - this.#now()) / 1000
    if (wait !== Infinity)
      this.#cancelWake = this.#parts.later?.(Math.max(1, Math.ceil(wait)), () => this.tick()) ?? (() => {})
  }

  #gadgets(): DoorGadget[] {
    const { device_id, policy } = this.#parts
    const all = [...policy.rows('gadgets').values()].filter(isDoor)
    return all.filter(gadget => gadget.device_id === device_id() && hasContact(gadget))
  }

  #gadget(id: string): DoorGadget | undefined {
    const { device_id, policy } = this.#parts
    const gadget = policy.gadget(id)
    return isDoor(gadget) && gadget.device_id === device_id() && hasContact(gadget) ? gadget : undefined
  }

  /** The time of an instant of the monotonic clock. */
  #timeOf(at: number): string {
    return fromMicroseconds(Math.round(this.#parts.clock.now().time - (this.#now() - at)))
  }

  #now(): number {
    return this.#parts.platform.monotonic()
  }

  /** Whatever is wrong with a monitor, decisions and exits go on. */
  #guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#parts.log.error(`the alarms of doors: ${messageOf(error)}`)
    }
  }
}

/** Another version may have written it. A controller that cannot read it forgets it, and lets people out. */
function isWhole(stored: AlarmMemory | undefined): stored is AlarmMemory {
  const doors = Object.values(stored?.doors ?? {})
  return stored?.doors !== undefined && doors.every(door => door?.alarms && Array.isArray(door.watch?.alarms))
}
