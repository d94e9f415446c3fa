import type { FromDevice, FromService, FromServiceType, JournalEvent } from '@gatehouse-access/api'
import { capabilityNames } from '@gatehouse-access/api/device-protocol/capabilities'
import { deviceLimits, deviceProtocol } from '@gatehouse-access/api/device-protocol/limits'
import { fromMicroseconds, messageOf, toMicroseconds } from '@gatehouse-access/core'
import { backoff } from './backoff.ts'
import type { EdgeClock } from './clock.ts'
import type { Outcome } from './commands.ts'
import type { EdgeDevice } from './edge-device.ts'
import type { DoorReport } from './modes/mode-keeper.ts'
import { mayChangeModes } from './modes/mode-kinds.ts'
import { type Log, type Platform, randomName } from './platform.ts'
import type { PolicyMessage } from './policy-intake.ts'
import type { Forwarded } from './station.ts'
import type { Connect, Connection } from './transport.ts'

interface LinkParts {
  readonly platform: Platform
  readonly clock: EdgeClock
  readonly log: Log
  readonly connect: Connect
  readonly firmware: string
  /** The device that owns the connection first, then the devices that it attaches. */
  readonly devices: readonly EdgeDevice[]
}

type Entry = Pick<FromService<'welcome'>, 'device_id' | 'acknowledged_sequence' | 'acknowledged_occurred_at'>
type Handlers = { readonly [Type in FromServiceType]: (message: FromService<Type>, frame: string) => unknown }

/** Milliseconds to wait for the response to a `forward`. */
const forwardPatience = (deviceLimits.command + 2) * 1000
const mostPings = 8
/**
 * How many policy messages may wait for the disk. A large slice arrives faster than it is written, and would
 * fill the memory.
 */
const mostTaken = 4

/**
 * The connection to the service (docs/device-protocol.md).
 *
 *   waiting ──▶ opening ──▶ greeting (hello sent) ── welcome ──▶ live
 *      ▲           └───────────────┴── closed, or silent for too long ──┘
 *      └── backoff
 *
 * Nothing at the doors depends on it. A message that cannot be parsed closes the connection. Unknown message
 * types are ignored.
 */
export class Link {
  readonly #parts: LinkParts
  #connection: Connection | undefined
  #isLive = false
  /** The devices that the service has accepted on this connection. It rejects messages about others. */
  readonly #present = new Set<EdgeDevice>()
  /** What the service accepts on this connection. */
  #accepted: readonly string[] = []
  #attempt = 0
  #heardAt = 0
  /** Policy messages that are waiting for the disk. */
  #taken = 0
  readonly #pings = new Map<string, number>()
  readonly #forwards = new Map<string, (outcome: Forwarded) => void>()
  readonly #cancels = new Set<() => void>()
  #isStopped = false

  constructor(parts: LinkParts) {
    this.#parts = parts
    for (const device of parts.devices)
      device.station.doors.keeper.onReport = doors => this.#tellDoors(device, doors)
  }

  get is_live(): boolean {
    return this.#isLive
  }

  start(): void {
    this.#open()
  }

  stop(): void {
    this.#isStopped = true
    this.#connection?.close()
    this.#leave()
  }

  /** Asks the service to run an action elsewhere. Resolves to `offline` when the device is not connected. */
  forward(device: EdgeDevice, gadget_id: string, action_id: string): Promise<Forwarded> {
    const { device_id } = device.station
    if (!this.#present.has(device) || device_id === undefined) return Promise.resolve('offline')
    const id = randomName(this.#parts.platform)
    return new Promise(resolve => {
      const end = (outcome: Forwarded) => {
        this.#forwards.delete(id)
        cancel()
        resolve(outcome)
      }
      const cancel = this.#parts.platform.later(forwardPatience, () => end('timed_out'))
      this.#forwards.set(id, end)
      this.#send({ type: 'forward', device_id, id, gadget_id, action_id })
    })
  }

  /** Reports the power status of the devices. */
  reportPower(): void {
    for (const device of this.#present) this.#reportPower(device)
  }

  #reportPower({ station, driver }: EdgeDevice): void {
    const power = driver.power()
    if (station.device_id && Object.keys(power).length > 0)
      this.#send({ type: 'status', device_id: station.device_id, ...power })
  }

  #open(): void {
    if (this.#isStopped) return
    let connection: Connection | undefined
    // Ignores everything from an old connection.
    const isCurrent = () => connection !== undefined && connection === this.#connection
    connection = this.#parts.connect({
      open: () => void (isCurrent() && this.#greet()),
      message: text => void (isCurrent() && this.#receive(text)),
      close: (code, reason) => void (isCurrent() && this.#closed(code, reason)),
    })
    this.#connection = connection
    this.#heardAt = this.#parts.platform.monotonic()
    this.#watch()
  }

  async #greet(): Promise<void> {
    const connection = this.#connection
    const [own] = this.#parts.devices
    for (const { intake } of this.#parts.devices) await intake.restart()
    if (!own || connection !== this.#connection) return
    const { firmware } = this.#parts
    this.#send({
      type: 'hello',
      protocol: deviceProtocol,
      firmware,
      capabilities: capabilityNames,
      ...own.about(),
    })
  }

  #receive(text: string): void {
    this.#heardAt = this.#parts.platform.monotonic()
    try {
      const message: FromService = JSON.parse(text)
      if (Object.hasOwn(this.#handlers, message.type)) this.#handlers[message.type](message as never, text)
    } catch (error) {
      this.#drop(`a message could not be handled: ${messageOf(error)}`)
    }
  }

  readonly #handlers: Handlers = {
    welcome: message => this.#enter(message),
    attached: message => this.#begin(this.#device('hardware_id', message.hardware_id), message),
    attach_refused: ({ hardware_id, reason }) =>
      this.#parts.log.error(`${hardware_id} was not attached: ${reason}`),
    detached: ({ device_id }) => this.#release(this.#device('device_id', device_id)),
    pong: message => this.#measure(message),
    snapshot_begin: (message, frame) => this.#takeIn(message, frame),
    snapshot_part: (message, frame) => this.#takeIn(message, frame),
    snapshot_end: (message, frame) => this.#takeIn(message, frame),
    delta: (message, frame) => this.#takeIn(message, frame),
    command: message => this.#command(message),
    ack: ({ device_id, journal_id, sequence }) =>
      this.#device('device_id', device_id)?.uploader.acknowledge(journal_id, sequence),
    forwarded: ({ id, outcome }) => this.#forwards.get(id)?.(outcome),
    error: ({ error }) => this.#parts.log.error(`the service says: ${error.message}`),
  }

  #enter(message: FromService<'welcome'>): void {
    const [own, ...others] = this.#parts.devices
    this.#isLive = true
    this.#accepted = message.capabilities ?? []
    this.#attempt = 0
    this.#parts.log.info('connected')
    this.#ping()
    this.#begin(own, message)
    for (const { hardware_id, secret = '', about } of others.map(withAbout))
      this.#send({ type: 'attach', hardware_id, secret, ...about })
  }

  #begin(device: EdgeDevice | undefined, entry: Entry): void {
    // A second entry is outdated: it lacks what was acknowledged in the meantime.
    if (!device || this.#present.has(device)) return
    device.name(entry.device_id)
    this.#present.add(device)
    void this.#upload(device, entry)
    for (const outcome of device.commands.latest()) this.#tell(device, outcome)
    this.#reportPower(device)
    device.station.alarms.accept(this.#accepted.includes('door_monitor'))
    device.station.doors.keeper.reportAll()
  }

  /** What was not sent is sent with the next connection, which begins with all doors. */
  #tellDoors(device: EdgeDevice, doors: readonly DoorReport[]): void {
    const { device_id } = device.station
    const version = device.intake.head?.version
    if (!this.#present.has(device) || !device_id || version === undefined) return
    if (!this.#accepted.includes('door_modes')) return
    for (let start = 0; start < doors.length; start += deviceLimits.doors)
      this.#send({
        type: 'doors',
        device_id,
        version,
        doors: doors.slice(start, start + deviceLimits.doors),
      })
  }

  /** A journal that differs from the service's is uploaded as a new journal on the next connection. */
  async #upload(device: EdgeDevice, entry: Entry): Promise<void> {
    const connection = this.#connection
    const isCurrent = () => connection === this.#connection && this.#present.has(device)
    const { device_id, acknowledged_sequence } = entry
    const offset = await device.findDivergence(entry)
    if (!isCurrent()) return
    if (offset === undefined)
      return device.uploader.start(
        acknowledged_sequence,
        message =>
          this.#send({ ...message, device_id, events: message.events.map(event => this.#understood(event)) }),
        this.#accepted,
      )
    await device.recorder.beginJournal(randomName(this.#parts.platform), offset)
    if (isCurrent()) this.#drop('the service has a different journal; starting a new one')
  }

  /** An older service would refuse what it does not know of an event, and with it the journal. */
  #understood(event: JournalEvent): JournalEvent {
    if (event.type !== 'denial' || !event.rules || this.#accepted.includes('schedule_exceptions'))
      return event
    return { ...event, rules: event.rules.map(({ schedule_day: _, ...rule }) => rule) }
  }

  #release(device: EdgeDevice | undefined): void {
    if (!device) return
    this.#present.delete(device)
    device.uploader.stop()
  }

  #measure({ ping_sent_at, received_at, sent_at }: FromService<'pong'>): void {
    const sentAt = this.#pings.get(ping_sent_at)
    if (sentAt === undefined) return
    this.#pings.delete(ping_sent_at)
    const now = this.#parts.platform.monotonic()
    this.#parts.clock.measure(sentAt, toMicroseconds(received_at), toMicroseconds(sent_at), now)
    for (const { station } of this.#parts.devices) station.persistTime()
  }

  async #takeIn(message: PolicyMessage, frame: string): Promise<void> {
    const connection = this.#connection
    const device = this.#device('device_id', message.device_id)
    if (++this.#taken === mostTaken) connection?.hold(true)
    const answer = await device?.intake.receive(message, frame)
    if (this.#taken-- === mostTaken) this.#readOn()
    if (!answer || connection !== this.#connection) return
    this.#send({ ...answer, device_id: message.device_id })
    if (answer.type === 'applied' && mayChangeModes(message)) device?.station.doors.keeper.reportAll()
  }

  #readOn(): void {
    this.#connection?.hold(false)
    this.#heardAt = this.#parts.platform.monotonic()
  }

  /** Responds on the connection that is current when the command completes. */
  async #command(message: FromService<'command'>): Promise<void> {
    const device = this.#device('device_id', message.device_id)
    if (device) this.#tell(device, await device.commands.run(message))
  }

  #tell(device: EdgeDevice, outcome: Outcome): void {
    const { device_id } = device.station
    if (device_id && this.#present.has(device)) this.#send({ type: 'outcome', device_id, ...outcome })
  }

  #device(key: 'device_id' | 'hardware_id', value: string): EdgeDevice | undefined {
    return this.#parts.devices.find(device =>
      key === 'device_id' ? device.station.device_id === value : device.hardware_id === value,
    )
  }

  /** Sends pings while the connection is live, and drops it when nothing was received for too long. */
  #watch(): void {
    const { platform } = this.#parts
    this.#later(deviceLimits.heartbeat * 1000, () => {
      // While reading is on hold for a slow disk, the silence is our own, and no snapshot is overdue.
      if (this.#taken >= mostTaken) this.#heardAt = platform.monotonic()
      if (platform.monotonic() - this.#heardAt > deviceLimits.silence * 1e6)
        return this.#drop('nothing was received for too long')
      if (this.#isLive) this.#beat()
      this.#watch()
    })
  }

  #beat(): void {
    this.#ping()
    if (this.#taken >= mostTaken) return
    for (const { intake, station } of this.#present) {
      const reminder = station.device_id && intake.remind()
      if (reminder) this.#send({ ...reminder, device_id: station.device_id })
    }
  }

  #ping(): void {
    const { platform, clock } = this.#parts
    if (this.#pings.size >= mostPings) this.#pings.clear()
    let time = clock.now().time
    while (this.#pings.has(fromMicroseconds(time))) time++
    this.#pings.set(fromMicroseconds(time), platform.monotonic())
    this.#send({ type: 'ping', sent_at: fromMicroseconds(time) })
  }

  #send(message: FromDevice): void {
    this.#connection?.send(JSON.stringify(message))
  }

  #drop(reason: string): void {
    this.#connection?.close()
    this.#closed(1006, reason)
  }

  #closed(code: number, reason: string): void {
    this.#parts.log.error(`not connected: ${reason || 'the connection was closed'} (${code})`)
    this.#leave()
    if (this.#isStopped) return
    const wait = backoff(this.#attempt++, code, this.#parts.platform.random())
    this.#later(wait, () => this.#open())
  }

  #leave(): void {
    this.#connection = undefined
    this.#isLive = false
    this.#pings.clear()
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
    for (const end of [...this.#forwards.values()]) end('timed_out')
    this.#present.clear()
    for (const { uploader } of this.#parts.devices) uploader.stop()
  }

  #later(milliseconds: number, run: () => void): void {
    const cancel = this.#parts.platform.later(milliseconds, () => {
      this.#cancels.delete(cancel)
      run()
    })
    this.#cancels.add(cancel)
  }
}

function withAbout(device: EdgeDevice) {
  return { hardware_id: device.hardware_id, secret: device.secret, about: device.about() }
}
