import type { JournalEvent, SliceRows } from '@gatehouse-access/api'
import { fromMicroseconds, impliedState, type Steps, toMicroseconds } from '@gatehouse-access/core'
import {
  Commands,
  compileSmall,
  type Driver,
  EdgeClock,
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
import { virtualPlatform } from './platform.ts'
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

export interface NewState {
  readonly gadget_id: string
  readonly device_id: string
  readonly state_id: string
}

/** A virtual device during a request: the edge controller on an in-memory disk. */
export interface VirtualMachine {
  readonly station: Station
  readonly commands: Commands
  /** Applies executed actions to the states of its own gadgets. Returns the new states of all others. */
  settle(): Promise<NewState[]>
  /** Waits until everything is written. Returns the events and the state to save. */
  finish(): Promise<{ events: JournalEvent[]; state: VirtualState; states: Readonly<Record<string, string>> }>
}

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
  return {
    station,
    commands: new Commands({ platform, clock, recorder, station }, []),
    async settle() {
      const elsewhere: NewState[] = []
      // A new state may fire triggers that run more actions. Triggers that fire too often are stopped.
      for (let order = done.shift(); order; order = done.shift()) {
        const state = newState(options.slice, order)
        if (state?.device_id === device_id) await station.reportState(state.gadget_id, state.state_id)
        else if (state) elsewhere.push(state)
      }
      return elsewhere
    },
    async finish() {
      station.persistTime()
      await recorder.write()
      const { schedules_seen_at, states = {} } = disk.notes
      return {
        events: [...disk.journal.values()],
        states,
        state: {
          ...state,
          keypad: keypad.state,
          keypad_pause: keypad.pause,
          schedules_seen_at:
            schedules_seen_at === undefined ? state.schedules_seen_at : fromMicroseconds(schedules_seen_at),
        },
      }
    },
  }
}

/** Yields per row: the disk copies rows, and a group or schedule may have hundreds of rules or ranges. */
function* stageRows(disk: MemoryDisk, generation: number, slice: SliceRows): Steps<void> {
  for (const [kind, rows] of Object.entries(slice))
    for (const row of rows ?? []) {
      disk.write([{ type: 'stage_rows', generation, put: { [kind]: [row] } }])
      yield
    }
}

function notesOf({ device_id, state, states }: MachineOptions) {
  return {
    device_id,
    states,
    ...(state.schedules_seen_at !== null && { schedules_seen_at: toMicroseconds(state.schedules_seen_at) }),
  }
}

function newState({ gadgets = [] }: SliceRows, { gadget_id, action_id }: Order): NewState | undefined {
  const gadget = gadgets.find(({ id }) => id === gadget_id)
  const state_id = gadget && impliedState(gadget.states, action_id)
  return gadget && state_id !== undefined ? { gadget_id, device_id: gadget.device_id, state_id } : undefined
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
