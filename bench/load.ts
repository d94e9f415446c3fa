import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Options } from 'autocannon'

export type { Request } from 'autocannon'

/** Sends requests from a separate process, so that the load generator does not slow the measuring process. */
export interface Load extends Disposable {
  /** Returns responses per second. Throws when any response was not 2xx, because refusing is always fast. */
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
