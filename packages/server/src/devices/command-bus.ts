import { randomBytes } from 'node:crypto'
import { deviceLimits, type FromDevice, type FromService } from '@gatehouse/api'
import { addSeconds } from '@gatehouse/core'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Database } from '../store/db.ts'
import type { Timers } from '../timers.ts'
import type { Command, CommandBus, Outcome } from './commands.ts'
import { type CommandKey, noteCommand, takeCommand } from './pending-commands.ts'

/** A command on its way to the process that holds the device, and its outcome on the way back. */
export type BusMessage =
  | {
      readonly type: 'command'
      readonly organization_id: string
      readonly connection_id: string
      readonly frame: FromService<'command'>
    }
  | { readonly type: 'outcome'; readonly id: string; readonly outcome: Outcome }
  | { readonly type: 'replaced'; readonly connection_id: string }

export interface BusContext {
  readonly db: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Logger
  readonly feed: { wake(): void }
  readonly process_id: string
  /** Milliseconds until a command without an outcome has timed out. */
  readonly command_timeout: number
  post(process: string, message: BusMessage): Promise<void>
  /** Hands a frame to a device that is connected here; false when it is not. */
  deliver(connectionId: string, frame: FromService<'command'>): boolean
}

interface Asked {
  settle(outcome: Outcome): void
}

/**
 * Commands find the process that holds the device in the database, so that it makes no difference where a request came in.
 *
 *   noted, asked ── outcome ──▶ taken, its event written ── told to whoever asked ──▶ settled
 *        └── no outcome in time: timed_out ── the outcome comes late ──▶ taken, its event written
 *
 * What is asked and by whom stands in the database, so that any process can hear the outcome, also after both the one that
 * asked and the one that held the device have died.
 */
export class DeviceCommandBus implements CommandBus {
  #context: BusContext
  #asked = new Map<string, Asked>()

  constructor(context: BusContext) {
    this.#context = context
  }

  async run(command: Command): Promise<Outcome> {
    const { db, clock, process_id: reply_to } = this.#context
    const { organization_id, device_id, gadget_id, action_id } = command
    const id = `cmd_${randomBytes(15).toString('base64url')}`
    const deadline = addSeconds(clock.now(), deviceLimits.command)
    const holder = await noteCommand(db, command, { id, reply_to, deadline })
    if (!holder) return 'offline'
    const outcome = this.#wait(id)
    await this.#dispatch(holder.process_id, {
      type: 'command',
      organization_id,
      connection_id: holder.connection_id,
      frame: { type: 'command', device_id, id, gadget_id, action_id, deadline },
    })
    return outcome
  }

  #wait(id: string): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const cancel = this.#context.timers.later(this.#context.command_timeout, () =>
      this.#settle(id, 'timed_out'),
    )
    const settle = (outcome: Outcome) => {
      cancel()
      resolve(outcome)
    }
    this.#asked.set(id, { settle })
    return promise
  }

  async #dispatch(process: string, message: Exclude<BusMessage, { type: 'replaced' }>): Promise<void> {
    if (process === this.#context.process_id) this.receive(message)
    else await this.#context.post(process, message)
  }

  /** From this process or another. */
  receive(message: Exclude<BusMessage, { type: 'replaced' }>): void {
    if (message.type === 'outcome') this.#settle(message.id, message.outcome)
    else this.#hand(message)
  }

  #hand({ organization_id, connection_id, frame }: Extract<BusMessage, { type: 'command' }>): void {
    if (this.#context.deliver(connection_id, frame)) return
    const { device_id, id } = frame
    this.#end({ organization_id, device_id, id }, 'offline').catch(error =>
      this.#context.log.warn({ err: error }, 'a command for a device that has left is not answered'),
    )
  }

  /** A device told how a command ended; others' commands are none of its business. Fails when the event cannot be stored. */
  answered(organization_id: string, { id, device_id, outcome }: FromDevice<'outcome'>): Promise<void> {
    return this.#end({ organization_id, device_id, id }, outcome)
  }

  async #end(key: CommandKey, outcome: Outcome): Promise<void> {
    const { db, clock, feed, log } = this.#context
    const replyTo = await takeCommand(db, key, outcome, clock.now())
    if (replyTo === undefined) return
    if (outcome === 'done') feed.wake()
    await this.#dispatch(replyTo, { type: 'outcome', id: key.id, outcome }).catch(error =>
      log.warn({ err: error }, 'an outcome could not be passed on'),
    )
  }

  #settle(id: string, outcome: Outcome): void {
    this.#asked.get(id)?.settle(outcome)
    this.#asked.delete(id)
  }
}
