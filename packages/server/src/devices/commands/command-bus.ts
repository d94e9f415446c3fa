import { randomBytes } from 'node:crypto'
import { deviceLimits, type FromDevice, type FromService } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Logger } from 'pino'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Command, CommandBus, Outcome } from './commands.ts'
import { type CommandKey, markHanded, noteCommand, takeBack, takeCommand } from './pending-commands.ts'

/**
 * A command to the process that holds the device, or the outcome back. Processes of other versions exchange
 * these too: fields are only ever added, missing fields are tolerated, unknown fields are ignored.
 */
export type BusMessage =
  | {
      readonly type: 'command'
      /** Missing if the sender does not store commands and waits for the outcome itself. */
      readonly organization_id?: string
      readonly connection_id: string
      readonly frame: FromService<'command'>
      readonly reply_to: string
      /** The command may have been taken back, so mark it before handing it over. */
      readonly is_marked?: boolean
    }
  | {
      readonly type: 'outcome'
      readonly id: string
      readonly outcome: Outcome
      /** The command was removed and its event written. */
      readonly is_stored?: boolean
    }
  | { readonly type: 'replaced'; readonly connection_id: string }

type CommandMessage = Extract<BusMessage, { type: 'command' }>
type OutcomeMessage = Extract<BusMessage, { type: 'outcome' }>

interface BusContext {
  readonly db: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Logger
  readonly process_id: string
  /** Milliseconds until a command without an outcome times out. */
  readonly command_timeout: number
  post(process: string, message: BusMessage): Promise<void>
  /** Sends a frame to a device. Returns false if the device is not connected here. */
  deliver(connectionId: string, frame: FromService<'command'>): boolean
}

interface Asked {
  readonly key: CommandKey
  settle(outcome: Outcome): void
}

/** Milliseconds after which an unmarked command is taken back: its process is dead or gets no messages. */
const longestUnmarked = 1200
/** Milliseconds for which the outcome of a command that is not stored is forwarded. */
const longestUnnoted = 600_000

/**
 * Looks up the process that holds the device in the database, so a request may arrive at any process.
 *
 *   stored, sent ── marked, handed over ── outcome ──▶ row removed, event written ── caller told ──▶ settled
 *        │                 └── no outcome in time: timed_out ── late outcome ──▶ row removed, event written
 *        └── never marked: taken back ──▶ offline
 *
 * The database stores each command and its caller, so that any process can handle the outcome, even after the
 * calling process and the process that held the device have died. Commands within one process are not marked,
 * because the process knows what it handed over.
 */
export class DeviceCommandBus implements CommandBus {
  #context: BusContext
  #asked = new Map<string, Asked>()
  /** Commands from processes that do not store them, by id. */
  #unnoted = new Map<string, { readonly reply_to: string; readonly device_id: string }>()

  constructor(context: BusContext) {
    this.#context = context
  }

  async run(command: Command): Promise<Outcome> {
    const { db, clock, process_id: reply_to } = this.#context
    const { organization_id, device_id, gadget_id, action_id } = command
    const key = { organization_id, device_id, id: `cmd_${randomBytes(15).toString('base64url')}` }
    const deadline = addSeconds(clock.now(), deviceLimits.command)
    const holder = await noteCommand(db, command, { id: key.id, reply_to, deadline })
    if (!holder) return 'offline'
    const { process_id, connection_id, speaks } = holder
    const is_marked = process_id !== reply_to && speaks >= 2
    const outcome = this.#wait(key, is_marked)
    const frame = { type: 'command', device_id, id: key.id, gadget_id, action_id, deadline } as const
    await this.#dispatch(process_id, {
      type: 'command',
      organization_id,
      connection_id,
      frame,
      reply_to,
      is_marked,
    })
    return outcome
  }

  #wait(key: CommandKey, isMarked: boolean): Promise<Outcome> {
    const { timers, command_timeout } = this.#context
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const cancels = [timers.later(command_timeout, () => this.#settle(key.id, 'timed_out'))]
    if (isMarked) cancels.push(timers.later(longestUnmarked, () => void this.#takeBack(key)))
    const settle = (outcome: Outcome) => {
      for (const cancel of cancels) cancel()
      resolve(outcome)
    }
    this.#asked.set(key.id, { key, settle })
    return promise
  }

  async #takeBack(key: CommandKey): Promise<void> {
    const isBack = await takeBack(this.#context.db, key).catch(() => false)
    if (isBack) this.#settle(key.id, 'offline')
  }

  async #dispatch(process: string, message: CommandMessage | OutcomeMessage): Promise<void> {
    if (process === this.#context.process_id) this.receive(message)
    else await this.#context.post(process, message)
  }

  /** From this process or another. */
  receive(message: CommandMessage | OutcomeMessage): void {
    const work = message.type === 'outcome' ? this.#heard(message) : this.#hand(message)
    work?.catch(error => this.#context.log.warn({ err: error }, 'a message about a command came to nothing'))
  }

  #heard({ id, outcome, is_stored }: OutcomeMessage): Promise<void> | undefined {
    const asked = this.#asked.get(id)
    if (is_stored || !asked) return void this.#settle(id, outcome)
    return this.#end(asked.key, outcome).then(() => this.#settle(id, outcome))
  }

  /** Hands over a command that needs no mark synchronously. */
  #hand(message: CommandMessage): Promise<void> | undefined {
    const { organization_id, frame, reply_to, is_marked } = message
    if (organization_id === undefined) this.#remember(frame, reply_to)
    if (!is_marked || organization_id === undefined) return this.#deliver(message)
    const key = { organization_id, device_id: frame.device_id, id: frame.id }
    const { db, clock } = this.#context
    return markHanded(db, key, clock.now()).then(isOurs => (isOurs ? this.#deliver(message) : undefined))
  }

  #deliver({ organization_id = '', connection_id, frame }: CommandMessage): Promise<void> | undefined {
    if (this.#context.deliver(connection_id, frame)) return undefined
    return this.#end({ organization_id, device_id: frame.device_id, id: frame.id }, 'offline')
  }

  #remember({ id, device_id }: FromService<'command'>, reply_to: string): void {
    this.#unnoted.set(id, { reply_to, device_id })
    this.#context.timers.later(longestUnnoted, () => this.#unnoted.delete(id))
  }

  /** Handles a device's outcome for one of its own commands. Rejects if the event cannot be stored. */
  answered(organization_id: string, { id, device_id, outcome }: FromDevice<'outcome'>): Promise<void> {
    return this.#end({ organization_id, device_id, id }, outcome)
  }

  async #end(key: CommandKey, outcome: Outcome): Promise<void> {
    const { db, clock, log } = this.#context
    const replyTo = (await takeCommand(db, key, outcome, clock.now())) ?? this.#askerOf(key)
    if (replyTo === undefined) return
    await this.#dispatch(replyTo, { type: 'outcome', id: key.id, outcome, is_stored: true }).catch(error =>
      log.warn({ err: error }, 'an outcome could not be passed on'),
    )
  }

  #askerOf({ id, device_id }: CommandKey): string | undefined {
    const unnoted = this.#unnoted.get(id)
    if (unnoted?.device_id !== device_id) return undefined
    this.#unnoted.delete(id)
    return unnoted.reply_to
  }

  #settle(id: string, outcome: Outcome): void {
    this.#asked.get(id)?.settle(outcome)
    this.#asked.delete(id)
  }
}
