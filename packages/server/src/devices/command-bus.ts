import { randomBytes } from 'node:crypto'
import { deviceLimits, type FromDevice, type FromService } from '@gatehouse/api'
import { addSeconds } from '@gatehouse/core'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Database } from '../store/db.ts'
import type { Command, CommandBus, Outcome } from './commands.ts'

/** A command on its way to the process that holds the device, and its outcome on the way back. */
export type BusMessage =
  | {
      readonly type: 'command'
      readonly reply_to: string
      readonly connection_id: string
      readonly frame: FromService<'command'>
    }
  | { readonly type: 'outcome'; readonly id: string; readonly outcome: Outcome }
  | { readonly type: 'replaced'; readonly connection_id: string }

export interface BusContext {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly process_id: string
  /** Milliseconds until a command without an outcome has timed out. */
  readonly command_timeout: number
  post(process: string, message: BusMessage): Promise<void>
  /** Hands a frame to a device that is connected here; false when it is not. */
  deliver(connectionId: string, frame: FromService<'command'>): boolean
}

interface Asked {
  settle(outcome: Outcome): void
  onLate: Command['onLate']
  is_late: boolean
}

/** How long an outcome may be late and still leave its event, in milliseconds. */
const longestLate = 600_000

/**
 * Commands find the process that holds the device in the database, so that it makes no difference where a request came in.
 *
 *   asked ── outcome ──▶ settled
 *     └── no outcome in time: timed_out ── `done` comes late ──▶ its event is written then
 */
export class DeviceCommandBus implements CommandBus {
  #context: BusContext
  #asked = new Map<string, Asked>()
  /** Of commands for devices connected here: who asked, and which device may answer. */
  #askers = new Map<string, { reply_to: string; device_id: string }>()

  constructor(context: BusContext) {
    this.#context = context
  }

  async run(command: Command): Promise<Outcome> {
    const { db, clock, process_id } = this.#context
    const holder = await findHolder(db, command)
    if (!holder) return 'offline'
    const frame: FromService<'command'> = {
      type: 'command',
      device_id: command.device_id,
      id: `cmd_${randomBytes(15).toString('base64url')}`,
      gadget_id: command.gadget_id,
      action_id: command.action_id,
      deadline: addSeconds(clock.now(), deviceLimits.command),
    }
    const outcome = this.#wait(frame.id, command)
    const message = {
      type: 'command',
      reply_to: process_id,
      connection_id: holder.connection_id,
      frame,
    } as const
    if (holder.process_id === process_id) this.receive(message)
    else await this.#context.post(holder.process_id, message)
    return outcome
  }

  #wait(id: string, { onLate }: Command): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const asked: Asked = { settle: resolve, onLate, is_late: false }
    this.#asked.set(id, asked)
    setTimeout(() => {
      asked.is_late = true
      resolve('timed_out')
    }, this.#context.command_timeout).unref()
    setTimeout(() => this.#asked.delete(id), longestLate).unref()
    return promise
  }

  /** From this process or another. */
  receive(message: Exclude<BusMessage, { type: 'replaced' }>): void {
    if (message.type === 'outcome') this.#settle(message.id, message.outcome)
    else this.#hand(message)
  }

  #hand({ frame, reply_to, connection_id }: Extract<BusMessage, { type: 'command' }>): void {
    this.#askers.set(frame.id, { reply_to, device_id: frame.device_id })
    setTimeout(() => this.#askers.delete(frame.id), longestLate).unref()
    if (!this.#context.deliver(connection_id, frame)) this.#answer(frame.id, frame.device_id, 'offline')
  }

  /** A device told how a command ended; others' commands are none of its business. */
  answered({ id, device_id, outcome }: FromDevice<'outcome'>): void {
    this.#answer(id, device_id, outcome)
  }

  #answer(id: string, deviceId: string, outcome: Outcome): void {
    const asker = this.#askers.get(id)
    if (!asker || asker.device_id !== deviceId) return
    this.#askers.delete(id)
    if (asker.reply_to === this.#context.process_id) this.#settle(id, outcome)
    else this.#pass(asker.reply_to, id, outcome)
  }

  #pass(process: string, id: string, outcome: Outcome): void {
    this.#context
      .post(process, { type: 'outcome', id, outcome })
      .catch(error => this.#context.log.warn({ err: error }, 'an outcome could not be passed on'))
  }

  #settle(id: string, outcome: Outcome): void {
    const asked = this.#asked.get(id)
    if (!asked) return
    this.#asked.delete(id)
    asked.settle(outcome)
    if (asked.is_late && outcome === 'done')
      asked
        .onLate?.()
        .catch(error => this.#context.log.warn({ err: error }, 'the event of a late action is lost'))
  }
}

async function findHolder(
  db: Database,
  { organization_id, device_id }: Command,
): Promise<{ process_id: string; connection_id: string } | undefined> {
  const [row] = await db.query<{ process_id: string; connection_id: string }>(
    `SELECT c.process_id, c.connection_id FROM device_connections c JOIN device_processes p ON p.id = c.process_id AND p.alive_until > now()
     WHERE c.organization_id = $1 AND c.device_id = $2`,
    [organization_id, device_id],
  )
  return row
}
