import {
  capabilityNames,
  type DeviceCapability,
  type DeviceClosing,
  deviceClosings,
  deviceLimits,
  deviceProtocol,
  type FromDevice,
  type FromDeviceType,
  type FromService,
  knownCapabilities,
} from '@gatehouse-access/api'
import { notePolicy } from '../../recovery/devices-ahead.ts'
import { authenticateDevice, type Identity } from '../authenticate.ts'
import { acceptEvents, findAcknowledged } from '../journal/accept.ts'
import { readVersions } from '../policy/versions.ts'
import type { LiveSlice, SliceLink } from '../slices/live-slice.ts'
import { type AttachedDevice, held, newAttachedDevice } from './attached-device.ts'
import { forward } from './forward.ts'
import type { Hub } from './hub.ts'
import { Inbox } from './inbox.ts'
import type { Link } from './link.ts'
import { arrive, report } from './presence.ts'

type Queued = Exclude<FromDevice, { type: 'ping' }>

/**
 * A connection of a device or a gateway.
 *
 *   waiting for hello ── hello ──▶ open ── messages, in inbox order ──▶ open
 *          │                        │
 *          └── anything else ───────┴── an error, silence, a revoked secret ──▶ closed
 *
 * A rejected message changes nothing. After closing, nothing more is read or sent, and the devices of the
 * connection depart.
 */
export class Connection {
  readonly #hub: Hub<Connection>
  readonly #link: Link
  readonly #attached = new Map<string, AttachedDevice>()
  #main: AttachedDevice | undefined
  #capabilities: ReadonlySet<DeviceCapability> = new Set()
  #identity: Identity
  #hardwareId: string
  #isGreeted = false
  #isClosed = false
  readonly #inbox: Inbox
  readonly opened_at: number

  constructor(hub: Hub<Connection>, link: Link, identity: Identity, hardwareId: string) {
    this.#hub = hub
    this.#link = link
    this.#identity = identity
    this.#hardwareId = hardwareId
    this.opened_at = hub.timers.elapsed()
    this.#inbox = new Inbox({
      organization_id: identity.organization_id,
      clock: hub.clock,
      timers: hub.timers,
      link,
      handle: message => this.#traced(message),
      ping: ({ sent_at }, received_at) => this.#pong(sent_at, received_at),
      refuse: (closing, message, field) => this.end(closing, message, field),
    })
  }

  get heard_at(): number {
    return this.#inbox.heard_at
  }

  /** True once hello has arrived, even if the welcome is still pending. */
  get is_greeted(): boolean {
    return this.#isGreeted
  }

  receive(text: string): void {
    this.#inbox.receive(text)
  }

  #traced(message: Queued): Promise<void> {
    const { tracing } = this.#hub
    if (!tracing) return this.#handle(message)
    const { organization_id, device_id } = this.#identity
    const attributes = { 'gatehouse.organization_id': organization_id, 'gatehouse.device_id': device_id }
    return tracing.trace({ name: `device ${message.type}`, kind: 'consumer', attributes, parent: '' }, () =>
      this.#handle(message),
    )
  }

  async #handle(message: Queued): Promise<void> {
    try {
      if (message.type === 'hello') await this.#hello(message)
      else if (!this.#main) this.end('out_of_order', 'the first message must be hello')
      else await this.#answer(message)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#hub.log.warn({ err: error, device_id: this.#identity.device_id }, 'a message of a device failed')
    this.end('failed', 'something went wrong on our side; reconnect')
  }

  async #answer(message: Exclude<Queued, { type: 'hello' }>): Promise<void> {
    if (message.type === 'attach') return this.#attach(message)
    const attached = this.#attached.get(message.device_id)
    if (!attached)
      return this.end(
        'unknown_device',
        `the device ${message.device_id} is not on this connection`,
        'device_id',
      )
    await this.#handlers[message.type](attached, message as never)
  }

  readonly #handlers: {
    [Type in Exclude<FromDeviceType, 'hello' | 'attach' | 'ping'>]: (
      attached: AttachedDevice,
      message: FromDevice<Type>,
    ) => Promise<void> | void
  } = {
    detach: attached => this.#detach(attached, 'asked'),
    applied: ({ slice }, message) => slice && this.#hub.push.confirm(slice, message),
    resync: ({ slice }) => slice && this.#hub.push.resync(slice),
    outcome: ({ identity }, message) => this.#hub.commands.answered(identity.organization_id, message),
    status: async (attached, { type: _type, device_id: _id, ...told }) => {
      await this.#change(() => report(this.#hub, held(attached), told))
    },
    events: (attached, message) => this.#events(attached, message),
    doors: (attached, message) => this.#hub.doors.add(held(attached), message),
    forward: (attached, message) => {
      // Not awaited: the target may be on this connection, whose lane would block.
      void forward(this.#hub, attached, message).then(
        outcome => this.#send({ type: 'forwarded', device_id: message.device_id, id: message.id, outcome }),
        error => this.#fail(error),
      )
    },
  }

  async #hello(message: FromDevice<'hello'>): Promise<void> {
    if (this.#isGreeted) return this.end('out_of_order', 'hello was already sent')
    this.#isGreeted = true
    if (message.protocol !== deviceProtocol)
      return this.end('unsupported_protocol', `this service speaks version ${deviceProtocol}`, 'protocol')
    this.#capabilities = knownCapabilities(message.capabilities)
    const entered = await this.#enter(this.#identity, this.#hardwareId, message, null)
    if (!entered) return
    this.#main = entered.attached
    this.#send({
      type: 'welcome',
      protocol: deviceProtocol,
      time: this.#hub.clock.now(),
      heartbeat_seconds: deviceLimits.heartbeat,
      silence_seconds: deviceLimits.silence,
      capabilities: capabilityNames,
      ...entered.entry,
    })
    entered.begin()
  }

  async #attach(message: FromDevice<'attach'>): Promise<void> {
    const { hardware_id } = message
    const refuse = (reason: FromService<'attach_refused'>['reason']) =>
      this.#send({ type: 'attach_refused', hardware_id, reason })
    if (this.#attached.size > deviceLimits.attached) return refuse('too_many')
    const identity = await this.#read(() => authenticateDevice(this.#hub.db, hardware_id, message.secret))
    if (!identity) return refuse('unauthenticated')
    if (identity.organization_id !== this.#identity.organization_id) return refuse('other_organization')
    const before = this.#attached.get(identity.device_id)
    if (before === this.#main) return this.end('out_of_order', 'a device cannot attach itself')
    if (before) await this.#release(before)
    const entered = await this.#enter(identity, hardware_id, message, this.#identity.device_id)
    if (!entered) return refuse('unauthenticated')
    this.#send({ type: 'attached', hardware_id, ...entered.entry })
    entered.begin()
  }

  /** Registers the device as present: first in the database, then in this process. */
  async #enter(
    identity: Identity,
    hardwareId: string,
    { policy, journal, revision_id }: FromDevice<'hello' | 'attach'>,
    gateway_device_id: string | null,
  ) {
    const attached = newAttachedDevice(identity, hardwareId, journal.id)
    const { process_id, moving } = this.#hub
    using _moving = noting(moving, attached.connection_id)
    const arrival = { ...held(attached), process_id, revision_id: revision_id ?? null, gateway_device_id }
    const arrived = await this.#change(
      async () => !this.#isClosed && { before: await arrive(this.#hub, arrival) },
    )
    if (!arrived) return undefined
    if (arrived.before) this.#hub.replaced(arrived.before)
    const link = {
      send: (frame: string) => this.#isClosed || this.#link.send(frame),
      sendAndWait: async (frame: string) => !this.#isClosed && (await this.#link.sendAndWait(frame)),
      end: (closing: DeviceClosing, text: string) => this.endDevice(attached, closing, text),
    }
    const { slice, generation, begin } = await this.#openSlice(attached, policy ?? null, link).catch(error =>
      this.#turnAway(attached, error),
    )
    attached.slice = slice
    this.#attached.set(identity.device_id, attached)
    this.#hub.add(this, attached)
    if (this.#isClosed || !(await this.#read(() => this.#hub.isValid(identity)))) {
      await this.#release(attached)
      if (!this.#main) this.end('unauthenticated', 'the secret of the device is no longer valid')
      return undefined
    }
    const entry = {
      device_id: identity.device_id,
      ...(await this.#read(() => findAcknowledged(this.#hub.db, identity, journal.id))),
      key_generation: generation,
    }
    return { attached, entry, begin }
  }

  /** A recovered service sends no policy: the device's own is newer. It only notes what the device has. */
  async #openSlice(
    attached: AttachedDevice,
    policy: FromDevice<'hello'>['policy'] | null,
    link: SliceLink,
  ): Promise<{ slice: LiveSlice | undefined; generation: number; begin(): void }> {
    const { db, push, recovery, clock } = this.#hub
    if (!recovery.is_on) {
      const admitted = { ...held(attached), capabilities: this.#capabilities }
      const { slice, begin } = await push.open(admitted, policy ?? null, link)
      return { slice, generation: slice.generation, begin }
    }
    const { organization_id, device_id } = attached.identity
    await this.#read(() => notePolicy(db, attached.identity, policy?.version ?? 0, clock.now()))
    const { generation } = await this.#read(() => readVersions(db, organization_id, device_id))
    return { slice: undefined, generation, begin: () => {} }
  }

  /** Must not be held during `#release`, which takes a slot of its own. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#hub.arrivals.change(this.#identity.organization_id, work)
  }

  #read<T>(work: () => Promise<T>): Promise<T> {
    return this.#hub.arrivals.read(this.#identity.organization_id, work)
  }

  async #events(attached: AttachedDevice, { journal_id, events }: FromDevice<'events'>): Promise<void> {
    const { identity, connection_id } = attached
    if (this.#hub.disk.is_exhausted()) return this.end('failed', 'the disk is nearly full; reconnect later')
    const batch = { identity, connection_id, journal_id, events }
    const accepted = await this.#hub.uploads.pass(identity.organization_id, events.length, async () =>
      this.#isClosed ? undefined : acceptEvents(this.#hub, batch),
    )
    if (!accepted) return
    if ('refused' in accepted) return this.endDevice(attached, accepted.refused, accepted.message)
    this.#hub.metrics.count('gatehouse_device_events_total', {}, accepted.stored)
    this.#send({ type: 'ack', device_id: identity.device_id, journal_id, sequence: accepted.acknowledged })
  }

  #pong(ping_sent_at: string, received_at: string): void {
    this.#send({ type: 'pong', ping_sent_at, received_at, sent_at: this.#hub.clock.now() })
  }

  /** Sends at once, without waiting for other work on the connection. */
  command(frame: FromService<'command'>): void {
    this.#send(frame)
  }

  #send(message: FromService): void {
    if (!this.#isClosed) this.#link.send(JSON.stringify(message))
  }

  async #detach(attached: AttachedDevice, reason: FromService<'detached'>['reason']): Promise<void> {
    if (attached === this.#main)
      return this.end('out_of_order', 'a device detaches itself by closing its connection')
    await this.#release(attached)
    this.#send({ type: 'detached', device_id: attached.identity.device_id, reason })
  }

  /** Ends the connection if the device is the one that opened it. Otherwise detaches only this device. */
  endDevice(attached: AttachedDevice, closing: DeviceClosing, message: string): void {
    const isAttached = this.#main !== undefined && attached !== this.#main
    if (isAttached && (closing === 'unauthenticated' || closing === 'replaced'))
      void this.#detach(attached, closing).catch(() => this.end('failed', 'something went wrong on our side'))
    else this.end(closing, message)
  }

  end(closing: DeviceClosing, message: string, field?: string): void {
    if (this.#isClosed) return
    const { code } = deviceClosings[closing]
    this.#send({
      type: 'error',
      error: { type: closing, message: message.slice(0, 2000), ...(field && { field }) },
    })
    this.#hub.metrics.count('gatehouse_device_closings_total', { reason: closing })
    this.#link.close(code, closing)
    void this.closed()
  }

  /** Called when the socket closes. */
  async closed(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#inbox.close()
    this.#hub.removeConnection(this)
    const all = [...this.#attached.values()]
    // All slices close now: one that stayed open would be recorded as current although its changes were not sent.
    for (const attached of all) this.#closeSlice(attached)
    for (const attached of all) await this.#hub.departed(attached)
  }

  /** A device that came and cannot be served leaves before the error is told. */
  async #turnAway(attached: AttachedDevice, error: unknown): Promise<never> {
    await this.#release(attached)
    throw error
  }

  async #release(attached: AttachedDevice): Promise<void> {
    this.#closeSlice(attached)
    await this.#hub.departed(attached)
  }

  #closeSlice(attached: AttachedDevice): void {
    const { device_id } = attached.identity
    if (this.#attached.get(device_id) === attached) this.#attached.delete(device_id)
    this.#hub.remove(attached)
    if (attached.slice) this.#hub.push.close(attached.slice)
  }
}

/** Keeps a name in a set until disposed. */
function noting(names: Set<string>, name: string): Disposable {
  names.add(name)
  return { [Symbol.dispose]: () => void names.delete(name) }
}
