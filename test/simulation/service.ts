import { createHash } from 'node:crypto'
import {
  type FromDevice,
  type FromService,
  fromDevice,
  type JournalEvent,
  type SliceKind,
  type SliceRemovals,
  type SliceRows,
} from '@gatehouse/api'
import { fromMicroseconds } from '@gatehouse/core'
import type { FarEnd, Peer } from './network.ts'
import { type Organization, sliceRows } from './organization.ts'
import type { SimulatedTime } from './time.ts'

/** One version of the slice of one device, and the hashes it may have: as a snapshot, and after a delta. */
interface Version {
  readonly organization: Organization
  readonly rows: Required<SliceRows>
  readonly hashes: Set<string>
}

/** What the service keeps of a device, whatever happens to its processes. */
interface Kept {
  readonly key: Buffer
  readonly versions: Version[]
  readonly journals: Map<string, JournalEvent[]>
  readonly commands: Command[]
  session: Session | undefined
}

type Command = Pick<FromService<'command'>, 'id' | 'gadget_id' | 'action_id' | 'deadline'>

export interface Outcome {
  readonly id: string
  readonly outcome: string
}

/**
 * The service, as far as devices can tell: what docs/device-protocol.md says of it, over a database that never fails, so that
 * whatever goes wrong is the edge's. The gateway itself is tested against the same document elsewhere.
 */
export class SimulatedService {
  readonly #time: SimulatedTime
  readonly #kept = new Map<string, Kept>()
  readonly outcomes: Outcome[] = []
  /** Messages that break the schema: a firmware that sends such is closed on. */
  readonly faults: string[] = []

  constructor(time: SimulatedTime, devices: readonly string[], organization: Organization) {
    this.#time = time
    for (const [index, id] of devices.entries())
      this.#kept.set(id, {
        key: Buffer.alloc(32, index + 1),
        versions: [],
        journals: new Map(),
        commands: [],
        session: undefined,
      })
    this.change(organization)
  }

  now(): string {
    return fromMicroseconds(this.#time.now)
  }

  organizationAt(device: string, version: number): Organization | undefined {
    return this.keptOf(device).versions[version - 1]?.organization
  }

  versionOf(device: string): number {
    return this.keptOf(device).versions.length
  }

  journalsOf(device: string): ReadonlyMap<string, readonly JournalEvent[]> {
    return this.keptOf(device).journals
  }

  /** A change of policy: a version for each device, sent to whoever is connected. */
  change(organization: Organization): void {
    for (const [id, kept] of this.#kept) {
      kept.versions.push({ organization, rows: sliceRows(organization, id, kept.key), hashes: new Set() })
      kept.session?.push()
    }
  }

  /** Sent to whoever is connected, and once more to whoever comes back before its end: harsher than the protocol promises. */
  command(device: string, command: Command): void {
    const kept = this.keptOf(device)
    kept.commands.push(command)
    kept.session?.send({ type: 'command', device_id: device, ...command })
  }

  /** All connections are lost at once; what was stored is not. */
  restart(): void {
    for (const kept of this.#kept.values()) kept.session?.end(1001)
  }

  accept(device: string, far: FarEnd): Peer {
    return new Session(this, device, far)
  }

  keptOf(device: string): Kept {
    return this.#kept.get(device) as Kept
  }
}

class Session implements Peer {
  readonly #service: SimulatedService
  readonly #device: string
  readonly #far: FarEnd
  #isOpen = true
  /** What was last sent: version and its hash. */
  #sent: { version: number; hash: string } | undefined

  constructor(service: SimulatedService, device: string, far: FarEnd) {
    this.#service = service
    this.#device = device
    this.#far = far
  }

  receive(text: string): void {
    if (!this.#isOpen) return
    try {
      this.#handle(fromDevice.parse(JSON.parse(text), ''))
    } catch (error) {
      this.#service.faults.push(`${(error as Error).message}: ${text}`)
      this.end(4400)
    }
  }

  closed(): void {
    this.#isOpen = false
    if (this.#kept.session === this) this.#kept.session = undefined
  }

  end(code: number): void {
    this.closed()
    this.#far.close(code)
  }

  send(message: FromService): string {
    const frame = JSON.stringify(message)
    if (this.#isOpen) this.#far.send(frame)
    return frame
  }

  /** Brings the device to the newest version, by a delta where it is known what it has. */
  push(): void {
    if (!this.#sent) return
    const { versions } = this.#kept
    while (this.#sent.version < versions.length) this.#sendDelta(this.#sent)
  }

  get #kept() {
    return this.#service.keptOf(this.#device)
  }

  #handle(message: FromDevice): void {
    if (message.type === 'hello') this.#welcome(message)
    else if (this.#kept.session !== this) this.end(4422)
    else this.#answer(message)
  }

  #answer(message: FromDevice): void {
    if (message.type === 'ping') this.#pong(message)
    if (message.type === 'events') this.#store(message)
    if (message.type === 'applied') this.#confirm(message)
    if (message.type === 'resync') this.#sendSnapshot()
    if (message.type === 'outcome') this.#service.outcomes.push({ id: message.id, outcome: message.outcome })
  }

  #welcome({ policy, journal }: FromDevice<'hello'>): void {
    if (this.#kept.session === this) {
      this.end(4422)
      return
    }
    this.#kept.session?.end(4409)
    this.#kept.session = this
    const acknowledged_sequence = this.#kept.journals.get(journal.id)?.at(-1)?.sequence ?? 0
    const entry = { device_id: this.#device, acknowledged_sequence, key_generation: 1 }
    const times = { time: this.#service.now(), heartbeat_seconds: 15, silence_seconds: 40 }
    this.send({ type: 'welcome', protocol: 1, ...times, ...entry })
    for (const command of this.#kept.commands)
      if (command.deadline > this.#service.now())
        this.send({ type: 'command', device_id: this.#device, ...command })
    const known = policy && this.#kept.versions[policy.version - 1]?.hashes.has(policy.hash)
    if (policy && known) {
      this.#sent = policy
      this.push()
    } else this.#sendSnapshot()
  }

  #pong({ sent_at }: FromDevice<'ping'>): void {
    const now = this.#service.now()
    this.send({ type: 'pong', ping_sent_at: sent_at, received_at: now, sent_at: now })
  }

  #store({ journal_id, events }: FromDevice<'events'>): void {
    const stored = this.#kept.journals.get(journal_id) ?? []
    const acknowledged = stored.at(-1)?.sequence ?? 0
    const fresh = events.filter(({ sequence }) => sequence > acknowledged)
    if (fresh.some((event, index) => event.sequence !== acknowledged + index + 1)) {
      this.end(4422)
      return
    }
    this.#kept.journals.set(journal_id, [...stored, ...fresh])
    const sequence = acknowledged + fresh.length
    this.send({ type: 'ack', device_id: this.#device, journal_id, sequence })
  }

  #confirm({ version, hash }: FromDevice<'applied'>): void {
    if (!this.#kept.versions[version - 1]?.hashes.has(hash)) this.#sendSnapshot()
  }

  /** Members in a part of their own, so that there is something to come out of order. */
  #sendSnapshot(): void {
    const version = this.#kept.versions.length
    const { rows, hashes } = this.#kept.versions[version - 1] as Version
    const { members, ...places } = rows
    const common = { device_id: this.#device, version }
    const key = this.#kept.key.toString('base64url')
    const frames = [
      this.send({ type: 'snapshot_begin', ...common, key_generation: 1, key, pass_keys: [] }),
      this.send({ type: 'snapshot_part', ...common, part: 1, put: places }),
      this.send({ type: 'snapshot_part', ...common, part: 2, put: { members } }),
      this.send({ type: 'snapshot_end', ...common, parts: 2 }),
    ]
    this.#noteSent(version, hashes, frames)
  }

  #sendDelta({ version, hash }: { version: number; hash: string }): void {
    const [before, after] = [this.#kept.versions[version - 1], this.#kept.versions[version]] as [
      Version,
      Version,
    ]
    const { put, remove } = difference(before.rows, after.rows)
    const frame = this.send({
      type: 'delta',
      device_id: this.#device,
      from: version,
      to: version + 1,
      previous_hash: hash,
      put,
      remove,
    })
    this.#noteSent(version + 1, after.hashes, [frame])
  }

  #noteSent(version: number, hashes: Set<string>, frames: readonly string[]): void {
    const hash = createHash('sha256').update(frames.join('')).digest('hex')
    hashes.add(hash)
    this.#sent = { version, hash }
  }
}

function difference(
  before: Required<SliceRows>,
  after: Required<SliceRows>,
): { put: SliceRows; remove: SliceRemovals } {
  const put: Record<string, unknown[]> = {}
  const remove: Record<string, string[]> = {}
  for (const kind of Object.keys(after) as SliceKind[]) {
    const [old, fresh] = [before[kind], after[kind]] as { id: string }[][]
    const known = new Map(old?.map(row => [row.id, JSON.stringify(row)]))
    put[kind] = (fresh ?? []).filter(row => known.get(row.id) !== JSON.stringify(row))
    const ids = new Set(fresh?.map(row => row.id))
    remove[kind] = (old ?? []).filter(row => !ids.has(row.id)).map(row => row.id)
  }
  return { put: put as SliceRows, remove: remove as SliceRemovals }
}
