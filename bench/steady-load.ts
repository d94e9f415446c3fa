import { setTimeout as sleep } from 'node:timers/promises'

export interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: string
}

export interface Answered {
  /** Milliseconds of each request. */
  readonly took: readonly number[]
  /** The same for each of those that took turns. */
  readonly each: readonly (readonly number[])[]
  readonly failures: number
}

/** Sends requests in turn at a constant rate, whether or not the last was answered, until the work is done. */
export async function sendWhile(
  rate: number,
  asked: readonly Asked[],
  work: Promise<unknown>,
): Promise<Answered> {
  const each = asked.map((): number[] => [])
  let [isOver, failures] = [false, 0]
  const ended = work.finally(() => {
    isOver = true
  })
  const began = performance.now()
  const answers: Promise<void>[] = []
  for (let sent = 0; !isOver; sent++) {
    const turn = sent % asked.length
    answers.push(
      send(asked[turn]).then(
        milliseconds => void each[turn]?.push(milliseconds),
        () => void failures++,
      ),
    )
    const early = began + (sent * 1000) / rate - performance.now()
    // Also when it is late: answers have to be heard.
    await sleep(Math.max(0, early))
  }
  await Promise.all([ended, ...answers])
  return { took: each.flat(), each, failures }
}

async function send(asked: Asked | undefined): Promise<number> {
  if (!asked) throw new Error('there is nothing to ask for')
  const { url, ...rest } = asked
  const began = performance.now()
  const answer = await fetch(url, rest)
  await answer.text()
  if (!answer.ok) throw new Error(`${answer.status}`)
  return performance.now() - began
}
