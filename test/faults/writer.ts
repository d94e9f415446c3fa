import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Chance, seed } from '@gatehouse-access/testkit'

const chance = new Chance(seed)

/** What the writers were told. The database must match it afterwards. */
export class Ledger {
  /** Created members by name: the response was 200. */
  readonly created = new Map<string, string>()
  /** Names of requests that were repeated with their idempotency key until they were answered. */
  readonly keyed = new Set<string>()
  /** Names in invalid requests, which must have failed. */
  readonly refused = new Set<string>()
  /** Names whose request got no response. They may exist or not, but never partly. */
  readonly unanswered = new Set<string>()
  /** Names whose request got a 503. They may exist only if PostgreSQL died during the commit. */
  readonly unavailable = new Set<string>()
  /** Metadata keys set by an acknowledged edit of a member. */
  readonly edited: { id: string; key: string }[] = []
  readonly deleted = new Set<string>()
  readonly unexpected: unknown[] = []
  /** The number of acknowledged writes of all kinds. */
  count = 0
}

interface Answer {
  readonly status: number
  readonly body: { readonly id?: string }
}

/** Writes through the API until stopped, regardless of failures of the service. */
export class Writer {
  readonly #url: string
  readonly #token: string
  readonly #ledger: Ledger
  readonly #mine: string[] = []
  #turn = 0

  constructor(url: string, token: string, ledger: Ledger) {
    this.#url = url
    this.#token = token
    this.#ledger = ledger
  }

  async run(signal: AbortSignal): Promise<void> {
    const ways = [
      () => this.#createOnce('/members', name => ({ name })),
      () => this.#createOnce('/grants', grant),
      () => this.#createRepeating(),
      () => this.#createWrongly(),
      () => this.#edit(),
      () => this.#delete(),
    ]
    while (!signal.aborted) await ways[this.#turn++ % ways.length]?.()
  }

  async #createOnce(path: string, bodyOf: (name: string) => object): Promise<void> {
    const name = randomUUID()
    const answer = await this.#send('POST', path, bodyOf(name))
    if (answer?.status === 200) this.#noteCreated(name, answer)
    else (answer ? this.#ledger.unavailable : this.#ledger.unanswered).add(name)
  }

  /** With an idempotency key, a request may be repeated until it is answered. */
  async #createRepeating(): Promise<void> {
    const name = randomUUID()
    this.#ledger.keyed.add(name)
    for (;;) {
      const answer = await this.#send('POST', '/grants', grant(name), { 'idempotency-key': name })
      if (answer?.status === 200) return this.#noteCreated(name, answer)
      await sleep(20)
    }
  }

  /** Fails at the very end, after everything else of the grant was written. */
  async #createWrongly(): Promise<void> {
    const name = randomUUID()
    this.#ledger.refused.add(name)
    const { credentials, ...rest } = grant(name)
    const body = { ...rest, credentials: { ...credentials, card: { printed_code: 'none' } } }
    const answer = await this.#send('POST', '/grants', body)
    if (answer?.status === 200) this.#ledger.unexpected.push(answer)
  }

  async #edit(): Promise<void> {
    const id = chance.pick(this.#mine)
    const key = `edit-${this.#turn}`
    if (!id) return
    const answer = await this.#send('PATCH', `/members/${id}`, { metadata: { [key]: '' } })
    if (answer?.status !== 200) return
    this.#ledger.edited.push({ id, key })
    this.#ledger.count++
  }

  async #delete(): Promise<void> {
    if (this.#mine.length < 10) return
    const id = this.#mine.splice(chance.whole(0, this.#mine.length - 1), 1)[0] as string
    const answer = await this.#send('DELETE', `/members/${id}`)
    if (answer?.status !== 200) return
    this.#ledger.deleted.add(id)
    this.#ledger.count++
  }

  #noteCreated(name: string, { body }: Answer): void {
    const id = String(body.id)
    this.#mine.push(id)
    this.#ledger.created.set(name, id)
    this.#ledger.count++
  }

  /** Returns undefined if there was no response. */
  async #send(method: string, path: string, body?: object, headers = {}): Promise<Answer | undefined> {
    const answer = await this.#fetch(method, path, body, headers).catch(() => undefined)
    if (!answer || answer.status === 503) await sleep(20)
    else if (![200, 400, 409].includes(answer.status)) this.#ledger.unexpected.push({ path, ...answer })
    return answer
  }

  async #fetch(method: string, path: string, body: object | undefined, headers: object): Promise<Answer> {
    const answer = await fetch(`${this.#url}/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
}

function grant(name: string) {
  return {
    member: { name },
    member_group_ids: [],
    credentials: { emails: [`${name}@example.com`], pin: {}, magic_link: true },
  }
}
