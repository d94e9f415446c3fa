import { createHash, createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type FromDevice,
  type FromService,
  type FromServiceType,
  type JournalEvent,
  type JournalEvents,
  type JournalEventType,
  type SliceKind,
  type SliceMember,
  type SliceRows,
  sliceKinds,
} from '@gatehouse-access/api'
import { slowness } from '@gatehouse-access/testkit'
import { type ClientOptions, WebSocket } from 'ws'

export interface DeviceOptions {
  readonly url: string
  readonly hardware_id: string
  readonly secret: string
  /** What its firmware understands beyond the protocol. */
  readonly capabilities?: string[]
  /** Other options of the connection, such as whom to trust. */
  readonly tls?: ClientOptions
}

export interface Closing {
  readonly code: number
  readonly reason: string
}

/** An event without its journal sequence number. */
type Unnumbered = { [Type in JournalEventType]: Omit<JournalEvents[Type], 'sequence'> }[JournalEventType]

type Slice = { [Kind in SliceKind]: Map<string, NonNullable<SliceRows[Kind]>[number]> }

function emptySlice(): Slice {
  return Object.fromEntries(sliceKinds.map(kind => [kind, new Map()])) as unknown as Slice
}

/**
 * A device that follows the test's script and maintains its slice as docs/device-protocol.md specifies. It
 * was written from the document, to verify that a firmware could be.
 */
export class ScriptedDevice {
  readonly received: FromService[] = []
  readonly closed: Promise<Closing>
  readonly socket: WebSocket
  /** Returns the outcome of a command: `done` by default, or undefined for no response. */
  onCommand: (command: FromService<'command'>) => FromDevice<'outcome'>['outcome'] | undefined = () => 'done'
  confirms = true
  slice = emptySlice()
  key: Buffer = Buffer.alloc(0)
  policy: { version: number; hash: string } | undefined
  device_id = ''
  journal_id = randomBytes(9).toString('base64url')
  last_sequence = 0
  #loading: { slice: Slice; frames: string[]; key: Buffer } | undefined

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', data => this.#receive(String(data)))
    this.closed = new Promise(resolve =>
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
    )
  }

  static async connect(options: DeviceOptions, before?: ScriptedDevice): Promise<ScriptedDevice> {
    const device = await ScriptedDevice.open(options)
    if (before) {
      const { slice, key, policy, journal_id, last_sequence } = before
      Object.assign(device, { slice, key, policy, journal_id, last_sequence })
    }
    const { capabilities } = options
    device.hello(capabilities && { capabilities })
    await device.next('welcome')
    return device
  }

  /** Connects without a hello. A refused upgrade rejects with its status. */
  static open({ url, hardware_id, secret, tls }: DeviceOptions): Promise<ScriptedDevice> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/device/v1/connect`, {
      ...tls,
      headers: { authorization: `Basic ${Buffer.from(`${hardware_id}:${secret}`).toString('base64')}` },
    })
    const device = new ScriptedDevice(socket)
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(device))
      socket.once('unexpected-response', (_request, response) =>
        reject(new Error(`status ${response.statusCode}`)),
      )
      socket.once('error', reject)
    })
  }

  hello(fields: Partial<FromDevice<'hello'>> = {}): void {
    this.send({
      type: 'hello',
      protocol: 1,
      journal: { id: this.journal_id, last_sequence: this.last_sequence },
      ...(this.policy && { policy: this.policy }),
      ...fields,
    })
  }

  send(message: FromDevice): void {
    this.socket.send(JSON.stringify(message))
  }

  /** Returns the next message of a type, and removes it from `received`. Waits longer on a busy machine. */
  async next<Type extends FromServiceType>(type: Type, milliseconds = 5000): Promise<FromService<Type>> {
    const begin = performance.now()
    for (;;) {
      const place = this.received.findIndex(message => message.type === type)
      if (place >= 0) return this.received.splice(place, 1)[0] as FromService<Type>
      if (isOver(begin, milliseconds)) throw new Error(`no ${type} came within ${milliseconds} ms`)
      await sleep(2)
    }
  }

  /** Waits until a condition on the device holds. */
  async until(holds: (device: this) => boolean, milliseconds = 5000): Promise<void> {
    const begin = performance.now()
    while (!holds(this)) {
      if (isOver(begin, milliseconds))
        throw new Error(`it did not become true within ${milliseconds} ms: ${holds}`)
      await sleep(2)
    }
  }

  member(id: string): SliceMember | undefined {
    return this.slice.members.get(id) as SliceMember | undefined
  }

  /** Returns the member that has this PIN or card. */
  holder(kind: 'pin' | 'card', value: string): string | undefined {
    const hash = createHmac('sha256', this.key)
      .update(`${kind}\0${value}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url')
    for (const member of this.slice.members.values() as Iterable<SliceMember>)
      if (member.credentials.some(row => row.hash === hash)) return member.id
    return undefined
  }

  events(events: readonly Unnumbered[]): void {
    const numbered = events.map(event => ({ sequence: ++this.last_sequence, ...event })) as JournalEvent[]
    this.send({ type: 'events', device_id: this.device_id, journal_id: this.journal_id, events: numbered })
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.closed
  }

  #receive(frame: string): void {
    const message = JSON.parse(frame) as FromService
    if (message.type === 'welcome') this.device_id = message.device_id
    if (message.type === 'command') this.#command(message)
    this.#policy(message, frame)
    this.received.push(message)
  }

  #command(command: FromService<'command'>): void {
    const outcome = this.onCommand(command)
    if (outcome) this.send({ type: 'outcome', device_id: command.device_id, id: command.id, outcome })
  }

  #policy(message: FromService, frame: string): void {
    if (message.type === 'snapshot_begin')
      this.#loading = { slice: emptySlice(), frames: [], key: Buffer.from(message.key, 'base64url') }
    if (message.type.startsWith('snapshot_')) this.#loading?.frames.push(frame)
    if (message.type === 'snapshot_part' && this.#loading) put(this.#loading.slice, message.put)
    if (message.type === 'snapshot_end' && this.#loading) {
      this.slice = this.#loading.slice
      this.key = this.#loading.key
      this.#apply(message.version, this.#loading.frames)
      this.#loading = undefined
    }
    if (message.type === 'delta') this.#delta(message, frame)
  }

  #delta(message: FromService<'delta'>, frame: string): void {
    const { device_id, from, to, previous_hash, put: rows, remove } = message
    if (from !== this.policy?.version || previous_hash !== this.policy.hash) {
      this.send({ type: 'resync', device_id, reason: `has ${this.policy?.version}` })
      return
    }
    for (const [kind, ids] of Object.entries(remove))
      for (const id of ids as string[]) this.slice[kind as SliceKind].delete(id)
    put(this.slice, rows)
    this.#apply(to, [frame])
  }

  #apply(version: number, frames: readonly string[]): void {
    const hash = createHash('sha256').update(frames.join('')).digest('hex')
    this.policy = { version, hash }
    if (this.confirms) this.send({ type: 'applied', device_id: this.device_id, version, hash })
  }
}

function put(slice: Slice, rows: SliceRows): void {
  for (const [kind, list] of Object.entries(rows))
    for (const row of list as { id: string }[])
      (slice[kind as SliceKind] as Map<string, object>).set(row.id, row)
}

function isOver(begin: number, milliseconds: number): boolean {
  return performance.now() - begin > milliseconds * slowness()
}
