import type { Logger } from 'pino'
import type { Pool } from '../../database/db.ts'

const channelOf = (process: string) => `gatehouse_devices_${process}`

/** Short messages between gateway processes. They may be lost, so wait for an answer with a deadline. */
export class Mailbox<Message extends object> {
  #db: Pool
  #process: string

  constructor(db: Pool, process: string) {
    this.#db = db
    this.#process = process
  }

  open(receive: (message: Message) => void, log: Logger): void {
    this.#db
      .listen(channelOf(this.#process), payload => receive(JSON.parse(payload)))
      .catch(error => log.warn({ err: error }, 'cannot listen for messages of other processes'))
  }

  async send(process: string, message: Message): Promise<void> {
    await this.#db.query('SELECT pg_notify($1, $2)', [channelOf(process), JSON.stringify(message)])
  }
}
