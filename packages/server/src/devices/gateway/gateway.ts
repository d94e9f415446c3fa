import { randomBytes } from 'node:crypto'
import { type DeviceClosing, deviceLimits } from '@gatehouse-access/api'
import { eachApart } from '../../flow/each-apart.ts'
import { pause } from '../../flow/timers.ts'
import type { Traffic } from '../../flow/traffic.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import { findStillValid, type Identity } from '../authenticate.ts'
import { type BusMessage, DeviceCommandBus } from '../commands/command-bus.ts'
import type { Command, CommandBus, Outcome } from '../commands/commands.ts'
import { Uploads } from '../journal/uploads.ts'
import { DoorReports } from '../modes/door-reports.ts'
import type { PushContext } from '../slices/context.ts'
import { PolicyPush } from '../slices/push.ts'
import { Arrivals } from './arrivals.ts'
import { type AttachedDevice, held } from './attached-device.ts'
import { Connection } from './connection.ts'
import { Departures } from './departures.ts'
import type { Hub } from './hub.ts'
import type { Link } from './link.ts'
import { Mailbox } from './mailbox.ts'
import { depart } from './presence.ts'
import { findOrphans, findOwn, forgetDeadProcesses, leaveLease, renewLease } from './process-lease.ts'

interface GatewayContext extends PushContext {
  readonly metrics: Hub<Connection>['metrics']
  readonly tracing?: Hub<Connection>['tracing']
  readonly disk: Hub<Connection>['disk']
  readonly traffic: Pick<Traffic, 'isBusy'>
  readonly recovery: Pick<Recovery, 'is_on' | 'over'>
  /** Runs commands for virtual devices. */
  readonly virtual: CommandBus
}

/** For tests, which cannot wait 44 seconds. */
export interface GatewayOptions {
  /** Milliseconds. */
  readonly silence?: number
  readonly hello?: number
  readonly command?: number
  readonly sweep?: number
  /** How often to check for changes without a notification. */
  readonly poll?: number
  /** How long a device that does not read its snapshot may hold a slot that others wait for. */
  readonly stall?: number
}

interface Present {
  readonly connection: Connection
  readonly attached: AttachedDevice
}

/** Milliseconds. */
const lookGap = 1000
const leaseGap = 5000
/** Milliseconds. A younger connection may have been stored after the sweep's query. */
const youngest = 10_000

/**
 * Holds every device connection of this process. Only the database records which process holds which device.
 * The gateway closes connections it no longer owns and cleans up after dead processes.
 */
export class DeviceGateway implements CommandBus, AsyncDisposable {
  readonly #context: GatewayContext
  readonly #options: GatewayOptions
  readonly #process = randomBytes(9).toString('hex')
  readonly #mailbox: Mailbox<BusMessage>
  readonly #connections = new Set<Connection>()
  /** By connection id. */
  readonly #present = new Map<string, Present>()
  /** By device id. */
  readonly #devices = new Map<string, Present>()
  readonly #departures = new Set<Promise<void>>()
  readonly #end = new AbortController()
  readonly #hub: Hub<Connection>
  readonly #leaving: Departures
  #loops: Promise<void>[] = []
  #isStopping = false

  constructor(context: GatewayContext, options: GatewayOptions = {}) {
    this.#context = context
    this.#options = options
    this.#mailbox = new Mailbox(context.db, this.#process)
    const commands = new DeviceCommandBus({
      ...context,
      process_id: this.#process,
      command_timeout: options.command ?? deviceLimits.command * 1000,
      post: (process, message) => this.#mailbox.send(process, message),
      deliver: (connectionId, frame) => this.#deliver(connectionId, frame),
    })
    this.#hub = {
      ...context,
      process_id: this.#process,
      push: new PolicyPush(context, (organization, devices) => this.#recheck(organization, devices), options),
      doors: new DoorReports(context),
      commands,
      all_commands: this,
      uploads: new Uploads(context),
      arrivals: new Arrivals(),
      moving: new Set(),
      add: (connection, attached) => this.#add(connection, attached),
      remove: attached => this.#remove(attached),
      removeConnection: connection => void this.#connections.delete(connection),
      departed: attached => this.#departed(attached),
      replaced: before => this.#replaced(before),
      isValid: async identity => (await findStillValid(context.db, [identity])).size > 0,
    }
    this.#leaving = new Departures({ ...this.#hub, traffic: context.traffic })
    context.metrics.gauge(
      'gatehouse_devices_connected',
      'Devices connected to this process.',
      () => this.#present.size,
    )
  }

  /** Starts accepting devices. */
  async start(): Promise<void> {
    await renewLease(this.#context.db, this.#process)
    this.#mailbox.open(message => this.#receive(message), this.#context.log)
    this.#hub.push.start()
    if (this.#context.recovery.is_on) void this.#context.recovery.over().then(() => this.#goOn())
    this.#loops = [
      this.#repeat(lookGap, async () => this.#look()),
      this.#repeat(this.#options.sweep ?? leaseGap, () => this.#sweep()),
    ]
  }

  /** To be called once the device has authenticated. */
  accept(link: Link, identity: Identity, hardwareId: string): Connection {
    const connection = new Connection(this.#hub, link, identity, hardwareId)
    this.#connections.add(connection)
    if (this.#isStopping) connection.end('going_away', 'the service is stopping; reconnect')
    return connection
  }

  async run(command: Command): Promise<Outcome> {
    return command.hardware_id === null ? this.#context.virtual.run(command) : this.#hub.commands.run(command)
  }

  get size(): number {
    return this.#present.size
  }

  /** Devices have a few seconds to reconnect elsewhere before they count as offline. */
  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    await leaveLease(this.#context.db, this.#process).catch(() => undefined)
    this.#endAll('going_away', 'the service is stopping; reconnect')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    this.#end.abort()
    await Promise.all([...this.#loops, ...this.#departures])
    await this.#hub.push[Symbol.asyncDispose]()
    await this.#hub.doors[Symbol.asyncDispose]()
  }

  /** Devices that came while the service was recovered got no policy: they come back and get it. */
  #goOn(): void {
    if (!this.#isStopping) this.#endAll('going_away', 'the restore was confirmed; reconnect')
  }

  #endAll(closing: DeviceClosing, message: string): void {
    for (const connection of [...this.#connections]) connection.end(closing, message)
  }

  async #repeat(gap: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      await work().catch(error => this.#context.log.warn({ err: error }, 'devices are looked after later'))
      await pause(this.#context.timers, gap, signal)
    }
  }

  #look(): void {
    const { silence = deviceLimits.silence * 1000, hello = deviceLimits.hello * 1000 } = this.#options
    const now = this.#context.timers.elapsed()
    for (const connection of [...this.#connections]) {
      if (now - connection.heard_at > silence) connection.end('silent', 'nothing was received for too long')
      else if (!connection.is_greeted && now - connection.opened_at > hello)
        connection.end('no_hello', 'no hello arrived in time')
    }
  }

  /**
   * Renews the lease and closes connections held elsewhere by now. Ends those that exist only in the database:
   * of dead processes, and of this one if it could not record a departure.
   */
  async #sweep(): Promise<void> {
    const { db } = this.#context
    if (this.#isStopping) return
    await renewLease(db, this.#process)
    const own = await findOwn(db, this.#process)
    const now = this.#context.timers.elapsed()
    for (const [id, { connection, attached }] of this.#present)
      if (!own.has(id) && now - connection.opened_at > youngest)
        connection.endDevice(attached, 'replaced', 'the device is connected elsewhere')
    const gone = [...own.values()].filter(({ connection_id }) => !this.#isHere(connection_id))
    await eachApart([...gone, ...(await findOrphans(db))], left =>
      depart(this.#context, left.organization_id, [left]),
    )
    await forgetDeadProcesses(db)
  }

  /** To be asked after reading the database. A connection is moving before it stands there. */
  #isHere(connectionId: string): boolean {
    return this.#present.has(connectionId) || this.#hub.moving.has(connectionId)
  }

  #receive(message: BusMessage): void {
    if (message.type === 'replaced') this.#letGo(message.connection_id)
    else if (message.type === 'command' || message.type === 'outcome') this.#hub.commands.receive(message)
  }

  #letGo(connectionId: string): void {
    const present = this.#present.get(connectionId)
    present?.connection.endDevice(present.attached, 'replaced', 'the device is connected elsewhere')
  }

  #deliver(connectionId: string, frame: Extract<BusMessage, { type: 'command' }>['frame']): boolean {
    const present = this.#present.get(connectionId)
    present?.connection.command(frame)
    return present !== undefined
  }

  #add(connection: Connection, attached: AttachedDevice): void {
    this.#present.set(attached.connection_id, { connection, attached })
    this.#devices.set(attached.identity.device_id, { connection, attached })
  }

  #remove(attached: AttachedDevice): void {
    this.#present.delete(attached.connection_id)
    const { device_id } = attached.identity
    if (this.#devices.get(device_id)?.attached === attached) this.#devices.delete(device_id)
  }

  /** While stopping, the lease expires instead: a device that reconnects at once never goes offline. */
  async #departed(attached: AttachedDevice): Promise<void> {
    if (this.#isStopping) return
    this.#hub.moving.add(attached.connection_id)
    const departure = this.#leaving
      .leave(held(attached))
      .catch(error => this.#context.log.warn({ err: error }, 'a departure is noticed later'))
    this.#departures.add(departure)
    await departure
    this.#departures.delete(departure)
    this.#hub.moving.delete(attached.connection_id)
  }

  #replaced({ process_id, connection_id }: { process_id: string; connection_id: string }): void {
    if (process_id === this.#process) this.#letGo(connection_id)
    else
      this.#mailbox.send(process_id, { type: 'replaced', connection_id }).catch(() => {
        // The other process finds out in its next sweep, within seconds.
      })
  }

  /** Ends the connections of devices that were deleted or whose secret was rotated or revoked. */
  #recheck(organizationId: string, devices: ReadonlySet<string> | undefined): void {
    const affected = devices
      ? [...devices].flatMap(id => this.#devices.get(id) ?? [])
      : [...this.#devices.values()].filter(
          ({ attached }) => attached.identity.organization_id === organizationId,
        )
    if (affected.length === 0) return
    const identities = affected.map(({ attached }) => attached.identity)
    findStillValid(this.#context.db, identities).then(
      valid => {
        for (const { connection, attached } of affected)
          if (!valid.has(attached.identity.device_id))
            connection.endDevice(attached, 'unauthenticated', 'the secret of the device is no longer valid')
      },
      error => {
        this.#context.log.warn(
          { err: error },
          'rights of devices could not be looked at; their connections end',
        )
        for (const { connection } of affected) connection.end('failed', 'come back')
      },
    )
  }
}
