import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Credentials } from './building.ts'

export interface Fleet extends Disposable {
  /** Resolves when all controllers have confirmed their snapshot. They come 32 at a time, or as many as is said. */
  connect(url: string, devices: readonly Credentials[], atOnce?: number): Promise<void>
  /** Returns when deltas were applied since the last call, in milliseconds since the epoch. */
  take(): Promise<number[]>
  upload(url: string, device: Credentials, events: number): Promise<number>
}

export function startFleet(): Fleet {
  const child = fork(new URL('fleet.ts', import.meta.url))
  const ask = async (message: object) => {
    child.send(message)
    const [answer] = await once(child, 'message')
    return answer as { applied_at: number[]; seconds: number }
  }
  return {
    connect: async (url, devices, at_once = 32) =>
      void (await ask({ type: 'connect', url, devices, at_once })),
    take: async () => (await ask({ type: 'take' })).applied_at,
    upload: async (url, device, events) => (await ask({ type: 'upload', url, device, events })).seconds,
    [Symbol.dispose]: () => child.disconnect(),
  }
}
