import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Receivers in a process of their own. */
export interface Receivers extends Disposable {
  readonly urls: readonly string[]
  received(): Promise<number>
  /** The age in milliseconds of each event at its arrival since the last call; begins anew. */
  takeAges(): Promise<number[]>
  /** The first so many never answer. */
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
