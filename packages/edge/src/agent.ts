import type { JournalEvent } from '@gatehouse-access/api'
import { EdgeClock } from './clock.ts'
import type { Driver, Inputs } from './drivers/driver.ts'
import { EdgeDevice } from './edge-device.ts'
import { Link } from './link.ts'
import type { DoorFact } from './modes/door-memory.ts'
import type { Log, Platform } from './platform.ts'
import type { Storage } from './storage/storage.ts'
import type { Connect } from './transport.ts'

export interface AgentDevice {
  readonly hardware_id: string
  readonly secret?: string
  readonly storage: Storage
}

export interface AgentOptions {
  readonly platform: Platform
  readonly log: Log
  readonly driver: Driver
  readonly connect: Connect
  readonly firmware?: string
  /** The controller's own device first, then the devices that it is a gateway for. */
  readonly devices: readonly AgentDevice[]
}

const second = 1000
const minute = 60

/**
 * The controller in the building: its devices, its clock and the link to the service. All its dependencies
 * are injected.
 */
export class Agent implements Inputs, AsyncDisposable {
  readonly devices: readonly EdgeDevice[]
  readonly clock: EdgeClock
  readonly link: Link
  readonly #options: AgentOptions
  #cancelTick: () => void = () => {}
  #ticks = 0

  constructor(options: AgentOptions) {
    const { platform, log, driver, connect, firmware = 'gatehouse-edge' } = options
    this.#options = options
    const stored = options.devices.map(({ storage }) => storage.load())
    this.clock = new EdgeClock(platform, stored[0]?.notes.anchor)
    const shared = {
      platform,
      log,
      driver,
      clock: this.clock,
      isLocal: (id: string) => this.devices.some(({ station }) => station.device_id === id),
      forward: (device: EdgeDevice, gadget_id: string, action_id: string) =>
        this.link.forward(device, gadget_id, action_id),
      share: (device: EdgeDevice, fact: DoorFact) => this.#share(device, fact),
      isConnected: () => this.link.is_live,
    }
    this.devices = options.devices.map(
      (device, index) => new EdgeDevice({ ...shared, ...device, stored: stored[index] as never }),
    )
    this.link = new Link({ platform, log, connect, firmware, clock: this.clock, devices: this.devices })
  }

  /** Doors are brought into their modes before anything else: nobody knows how long the service is away. */
  start(): void {
    for (const { station } of this.devices) station.start()
    this.link.start()
    this.#tickLater()
  }

  press(hardwareId: string | null, key: string): void {
    void this.#device(hardwareId)?.station.press(key)
  }

  tap(hardwareId: string | null, uid: string): void {
    void this.#device(hardwareId)?.station.tap(uid)
  }

  present(hardwareId: string | null, method: 'bluetooth' | 'mobile_nfc', pass: string): void {
    void this.#device(hardwareId)?.station.present(method, pass)
  }

  reportState(gadgetId: string, stateId: string, isReading = false): Promise<JournalEvent[]> {
    return this.#ask(device => device.station.reportState(gadgetId, stateId, isReading))
  }

  reportSignal(gadgetId: string, signalId: string): Promise<JournalEvent[]> {
    return this.#ask(device => device.station.reportSignal(gadgetId, signalId))
  }

  /** Runs everything that is due. Called once a second, and by tests. */
  async tick(): Promise<void> {
    const isFullMinute = this.#ticks++ % minute === 0
    for (const { station, commands } of this.devices) {
      if (isFullMinute) {
        station.persistTime()
        commands.forgetOld(this.link.is_live)
      }
      await station.tick()
    }
  }

  /** Stops the doors and the link, and closes the storage, after pending writes have completed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#cancelTick()
    for (const { station } of this.devices) await station.stop()
    this.link.stop()
    for (const { recorder } of this.devices) await recorder.write()
    for (const { storage } of this.#options.devices) await storage.close()
  }

  #share(from: EdgeDevice, fact: DoorFact): void {
    for (const device of this.devices) if (device !== from) device.station.doors.learn(fact)
  }

  async #ask(ask: (device: EdgeDevice) => Promise<JournalEvent[]>): Promise<JournalEvent[]> {
    return (await Promise.all(this.devices.map(ask))).flat()
  }

  /** Null means the controller's own device. */
  #device(hardwareId: string | null): EdgeDevice | undefined {
    return hardwareId === null
      ? this.devices[0]
      : this.devices.find(device => device.hardware_id === hardwareId)
  }

  #tickLater(): void {
    this.#cancelTick = this.#options.platform.later(second, () => {
      this.tick().catch(error => this.#options.log.error(String(error)))
      this.#tickLater()
    })
  }
}
