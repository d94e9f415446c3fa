import type { Policy } from '@gatehouse-access/core'

/** Tracks readers that use a policy over several loop iterations: it must not change until they finish. */
export class Readers {
  #running = new Map<Policy, Set<Promise<unknown>>>()

  hold<Answer>(policy: Policy, answer: Promise<Answer>): Promise<Answer> {
    const running = this.#running.get(policy) ?? new Set()
    this.#running.set(policy, running.add(answer))
    const end = () => {
      running.delete(answer)
      if (running.size === 0) this.#running.delete(policy)
    }
    answer.then(end, end)
    return answer
  }

  async none(policy: Policy): Promise<void> {
    for (let running = this.#running.get(policy); running; running = this.#running.get(policy))
      await Promise.allSettled(running)
  }
}
