import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Receivers in a separate process. */
export interface Receivers extends Disposable {
  readonly urls: readonly string[]
  received(): Promise<number>
  /** Returns the age in milliseconds of each event that arrived since the last call, and resets the list. */
  takeAges(): Promise<number[]>
  /** Makes the first `count` receivers never respond. */
  hang(count: number): Promise<void>
}

export async function startReceivers(count: number): Promise<Receivers> {
  const child = fork(new URL('receivers.ts', import.meta.url), [String(count)])
  const [{ ports }] = (await once(child, 'message')) as [{ ports: number[] }]
  const ask = async (message: object) => {
    child.send(message)
    const [answer] = await once(child, 'message')
    return answer as { received: number; ages: number[] }
  }
  return {
    urls: ports.map(port => `http://127.0.0.1:${port}/`),
    received: async () => (await ask({})).received,
    takeAges: async () => (await ask({ reset: true })).ages,
    hang: async hanging => void (await ask({ hanging })),
    [Symbol.dispose]: () => child.disconnect(),
  }
}
