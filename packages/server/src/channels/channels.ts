import type { Config } from '../config/config.ts'
import type { Sender } from '../delivery/webhooks/send.ts'
import { type Once, once } from '../flow/once.ts'
import type { Timers } from '../flow/timers.ts'
import type { Resolve } from '../outbound/dialer.ts'
import { openNames } from '../outbound/names.ts'
import { targetsOf } from '../outbound/targets.ts'

interface Needs {
  readonly config: Config
  readonly timers: Timers
  /** Resolves the names of receivers. Defaults to a resolver with the machine's configuration. */
  readonly resolve?: Resolve | undefined
}

/** What the channels over HTTP share. Opened for the first message, since the HTTP client takes 25 MB. */
export class Channels implements AsyncDisposable {
  readonly sender: Once<Sender>

  constructor({ config, timers, resolve }: Needs) {
    this.sender = once(async () => {
      const { openSender } = await import('../delivery/webhooks/open-sender.ts')
      return openSender({ targets: targetsOf(config), resolve: resolve ?? openNames() }, timers)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await this.sender.made()
    await opened?.connections[Symbol.asyncDispose]()
  }
}
