import { setTimeout as sleep } from 'node:timers/promises'

export interface Answered {
  /** Milliseconds of each request. */
  readonly took: readonly number[]
  readonly failures: number
}

/** Sends requests at a constant rate, whether or not the last was answered, until the work is done. */
export async function sendWhile(
  rate: number,
  url: string,
  headers: Record<string, string>,
  work: Promise<unknown>,
): Promise<Answered> {
  const took: number[] = []
  let [isOver, failures] = [false, 0]
  const ended = work.finally(() => {
    isOver = true
  })
  const began = performance.now()
  const answers: Promise<void>[] = []
  for (let sent = 0; !isOver; sent++) {
    answers.push(
      send(url, headers).then(
        milliseconds => void took.push(milliseconds),
        () => void failures++,
      ),
    )
    const early = began + (sent * 1000) / rate - performance.now()
    // Also when it is late: answers have to be heard.
    await sleep(Math.max(0, early))
  }
  await Promise.all([ended, ...answers])
  return { took, failures }
}

async function send(url: string, headers: Record<string, string>): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url, { headers })
  await answer.text()
  if (!answer.ok) throw new Error(`${answer.status}`)
  return performance.now() - began
}
