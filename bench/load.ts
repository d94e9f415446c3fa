import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Options } from 'autocannon'

export type { Request } from 'autocannon'

/** Asks a server from a process of its own, so that asking does not slow the one that measures. */
export interface Load extends Disposable {
  /** Answers a second; throws when one was no 2xx, since refusing is always fast. */
  measure(options: Options): Promise<number>
}

export function openLoad(): Load {
  const child = fork(new URL('load-generator.ts', import.meta.url))
  return {
    async measure(options) {
      child.send(options)
      const [result] = await once(child, 'message')
      if (result.failures > 0) throw new Error(`${result.failures} requests to ${options.url} failed`)
      return result.a_second
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}
