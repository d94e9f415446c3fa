import type { FromDevice, JournalEvent, SliceRows } from '@gatehouse-access/api'
import { fromMicroseconds, modeOfDoorSteps, type Steps, toMicroseconds } from '@gatehouse-access/core'
import {
  Commands,
  compileSmall,
  type Driver,
  EdgeClock,
  emptyAlarms,
  type Forwarded,
  type HardwareFault,
  hardwareFaults,
  KeypadInput,
  MemoryDisk,
  type Order,
  openMemoryStorage,
  Recorder,
  SimulatedDriver,
  SlicePolicy,
  Station,
  silentLog,
} from '@gatehouse-access/edge/controller'
import { inSlices } from '../../flow/slices.ts'
import { passKeysOf } from '../policy/passes.ts'
import type { VirtualContext } from './context.ts'
import { dueDoors, movementOf, type OpenDoors, without } from './doors.ts'
import { passTime } from './pass-time.ts'
import { virtualBoot, virtualPlatform } from './platform.ts'
import { virtualKey } from './slice.ts'
import { faultAt, type VirtualState } from './state.ts'

/** Offset of a wrong clock, in microseconds. */
const wrongBy = -3 * 3600 * 1e6

interface MachineOptions {
  readonly context: Pick<VirtualContext, 'config'>
  readonly organization_id: string
  readonly device_id: string
  readonly now: string
  readonly state: VirtualState
  readonly slice: SliceRows
  /** The current state of each gadget of the device. */
  readonly states: Readonly<Record<string, string>>
  /** The fault of the gadget's virtual device. Undefined if the gadget belongs to real hardware. */
  faultOf(gadget_id: string): { readonly fault: HardwareFault | null } | undefined
  /** Runs an action on real hardware. */
  forward(gadget_id: string, action_id: string): Promise<Forwarded>
}

/** An action that was run on a gadget of another virtual device, which shows the result. */
export interface RunElsewhere {
  readonly device_id: string
  readonly order: Order
}

/** A virtual device during a request: the edge controller on an in-memory disk. */
export interface VirtualMachine {
  readonly station: Station
  readonly commands: Commands
  /** Closes the doors whose time is over, unless a fault keeps them from it. */
  closeDoors(): Promise<void>
  /** Raises the alarms that are due, and waits for what they trigger. */
  watchDoors(): Promise<void>
  /** Reports a state that somebody simulates. It stays until something else changes it. */
  sense(gadget_id: string, state_id: string): Promise<unknown>
  /** Shows what an action did to a gadget of its own. */
  follow(order: Order): Promise<void>
  /** Follows the executed actions. Returns those on gadgets of other devices. */
  settle(): Promise<RunElsewhere[]>
  /** Makes the doors what their modes say. */
  driveDoors(): Promise<void>
  /** Waits until everything is written. Returns the events and the state to save. */
  finish(): Promise<Finished>
}

interface Finished {
  readonly events: JournalEvent[]
  readonly state: VirtualState
  readonly states: Readonly<Record<string, string>>
  /** What its doors are now. */
  readonly doors: readonly ReportedDoor[]
}

export type ReportedDoor = FromDevice<'doors'>['doors'][number]

export async function startMachine(options: MachineOptions): Promise<VirtualMachine> {
  const { context, organization_id, device_id, now, state } = options
  const isSure = faultAt(state, now) !== 'wrong_clock'
  const platform = virtualPlatform(now, isSure ? 0 : wrongBy)
  const disk = new MemoryDisk('virtual-device')
  const policy = {
    generation: 1,
    version: 1,
    hash: '',
    key: virtualKey(context, device_id).toString('base64url'),
    pass_keys: passKeysOf(context.config),
  }
  await inSlices(organization_id, stageRows(disk, policy.generation, options.slice))
  const compiled = await inSlices(organization_id, compileSmall(options.slice))
  disk.write([
    { type: 'adopt', policy },
    { type: 'note', notes: notesOf(options) },
  ])
  const storage = openMemoryStorage(disk)
  const stored = storage.load()
  const anchor = {
    time: toMicroseconds(now),
    monotonic: platform.monotonic(),
    doubt: 0,
    boot_id: platform.boot_id,
  }
  const clock = new EdgeClock(platform, isSure ? anchor : undefined)
  const recorder = new Recorder(storage, stored, platform, silentLog)
  const keypad = new KeypadInput(state.keypad_pause ?? undefined, state.keypad ?? undefined)
  const done: Order[] = []
  const parts = {
    platform,
    clock,
    recorder,
    keypad,
    log: silentLog,
    driver: virtualDriver(options, platform, done),
    isLocal: () => true,
    forward: options.forward,
    answer: <Result>(steps: Steps<Result>) => inSlices(organization_id, steps),
  }
  const station = new Station(parts, new SlicePolicy(storage, policy, compiled), stored.notes)
  const gadgets = new Map(options.slice.gadgets?.map(gadget => [gadget.id, gadget]))
  const reported = new Map<string, ReportedDoor>()
  station.doors.keeper.onReport = doors => {
    for (const door of doors) reported.set(door.gadget_id, door)
  }
  let open_doors: OpenDoors = state.open_doors
  const movement = ({ gadget_id, action_id }: Order) => {
    const gadget = gadgets.get(gadget_id)
    return gadget && movementOf(gadget, action_id, open_doors, now)
  }
  const follow = async (order: Order) => {
    const moved = movement(order)
    if (!moved) return
    open_doors = moved.open_doors
    await station.reportState(order.gadget_id, moved.state_id)
  }
  return {
    station,
    commands: new Commands({ platform, clock, recorder, station }, []),
    async closeDoors() {
      const isStuck = isJammed(faultAt(state, now))
      const closing = isStuck ? [] : dueDoors(open_doors, now)
      await inSlices(
        organization_id,
        passTime(
          station,
          closing.map(id => ({ id, at: open_doors[id] ?? now })),
          state.turns_at,
          now,
        ),
      )
      for (const id of closing) {
        const closed = gadgets.get(id)?.door?.closed_state_id
        open_doors = without(open_doors, id)
        if (closed) await station.reportState(id, closed)
      }
    },
    async watchDoors() {
      station.alarms.tick()
      await station.sounded()
    },
    sense(gadget_id, state_id) {
      open_doors = without(open_doors, gadget_id)
      return station.reportState(gadget_id, state_id)
    },
    follow,
    async driveDoors() {
      station.doors.refresh()
      await station.doors.settled()
    },
    async settle() {
      const elsewhere: RunElsewhere[] = []
      // A new state may fire triggers that run more actions. Triggers that fire too often are stopped.
      for (let order = done.shift(); order; order = done.shift()) {
        const owner = gadgets.get(order.gadget_id)?.device_id
        if (owner === device_id) await follow(order)
        else if (owner && movement(order)) elsewhere.push({ device_id: owner, order })
      }
      return elsewhere
    },
    async finish() {
      station.persistTime()
      station.doors.keeper.reportAll()
      await recorder.write()
      const turn = isSure ? await inSlices(organization_id, nextTurn(station, now)) : Infinity
      const { doors, schedules_seen_at, states = {} } = disk.notes
      return {
        events: [...disk.journal.values()],
        states,
        doors: [...reported.values()],
        state: {
          ...state,
          doors: doors ?? state.doors,
          alarms: station.alarms.memory,
          turns_at: earliest(turn, station.alarms.due),
          open_doors,
          keypad: keypad.state,
          keypad_pause: keypad.pause,
          schedules_seen_at:
            schedules_seen_at === undefined ? state.schedules_seen_at : fromMicroseconds(schedules_seen_at),
        },
      }
    },
  }
}

/** Yields per row: a slice may have a hundred thousand. */
function* stageRows(disk: MemoryDisk, generation: number, slice: SliceRows): Steps<void> {
  for (const [kind, rows] of Object.entries(slice))
    for (const row of rows ?? []) {
      disk.write([{ type: 'stage_rows', generation, put: { [kind]: [row] } }])
      yield
    }
}

/** When the mode of one of its own doors may next be another one. */
function* nextTurn({ device_id, policy }: Station, now: string): Steps<number> {
  const at = toMicroseconds(now)
  let next = Infinity
  for (const gadget of policy.rows('gadgets').values()) {
    if (gadget.device_id !== device_id) continue
    const found = yield* modeOfDoorSteps(policy.compiled, gadget.id, at)
    next = Math.min(next, found?.next_change ?? Infinity)
  }
  return next
}

function earliest(...times: readonly number[]): string | null {
  const first = Math.min(...times)
  return first === Infinity ? null : fromMicroseconds(first)
}

function notesOf({ device_id, state, states }: MachineOptions) {
  return {
    device_id,
    states,
    alarms: state.alarms ?? emptyAlarms(virtualBoot, true),
    ...(state.doors && { doors: state.doors }),
    ...(state.schedules_seen_at !== null && { schedules_seen_at: toMicroseconds(state.schedules_seen_at) }),
  }
}

/** A door that is stuck, or whose device is dead, does not close and reports nothing. */
function isJammed(fault: string | null): boolean {
  return fault === 'stuck_door' || fault === 'no_power'
}

/** Runs each order on the gadget's own device. Virtual hardware always succeeds unless it has a fault. */
function virtualDriver(
  options: MachineOptions,
  platform: ReturnType<typeof virtualPlatform>,
  done: Order[],
): Driver {
  return {
    async run(order) {
      const device = options.faultOf(order.gadget_id)
      if (device) {
        const driver = new SimulatedDriver(platform, device.fault ?? undefined)
        const driven = await driver.run(order)
        done.push(...driver.done)
        return driven
      }
      const outcome = await options.forward(order.gadget_id, order.action_id)
      if (outcome === 'done') return { outcome }
      return { outcome: 'failed', reason: outcome === 'failed' ? 'hardware_failed' : 'unreachable' }
    },
    power: () => ({}),
  }
}

export function hardwareFault(fault: string | null): HardwareFault | null {
  return hardwareFaults.find(known => known === fault) ?? null
}
