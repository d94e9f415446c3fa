import { createPrivateKey } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AccountKey, newKey } from './account-key.ts'
import { AcmeClient, type Answer, retryAfter } from './acme-client.ts'
import { AcmeError, problemIn } from './acme-error.ts'
import { signingRequest } from './signing-request.ts'

export const challengeKinds = ['http-01', 'tls-alpn-01'] as const
export type ChallengeKind = (typeof challengeKinds)[number]

/** What a process must show so that the authority believes in the name. */
export interface Challenge {
  readonly kind: ChallengeKind
  readonly name: string
  readonly token: string
  readonly key_authorization: string
}

export interface Wish {
  readonly name: string
  readonly email: string | undefined
  readonly directory: string
  readonly account: AccountKey
  readonly kind: ChallengeKind
  readonly signal: AbortSignal
  /** Resolves once every process can show the challenge. */
  show(challenge: Challenge): Promise<void>
}

interface Step {
  readonly status: string
  readonly error?: unknown
}
interface Order extends Step {
  readonly authorizations: readonly string[]
  readonly finalize: string
  readonly certificate?: string
}
interface Authorization extends Step {
  readonly challenges: readonly { type: string; url: string; token: string; error?: unknown }[]
}

/** Obtains a certificate: order it, prove the name, hand in the request, take the chain. */
export async function obtain(wish: Wish): Promise<{ chain: string; key: string }> {
  const { name, directory, account, email, signal } = wish
  const client = await AcmeClient.open(directory, account, email, signal)
  const ordered = await client.newOrder(name)
  const url = ordered.headers.get('location') ?? ''
  const order = ordered.json<Order>()
  for (const authorization of order.authorizations) await prove(client, wish, authorization)
  const key = newKey()
  const csr = signingRequest(name, createPrivateKey(key)).toString('base64url')
  await client.post(order.finalize, { csr })
  const { certificate } = await settled<Order>(client, url, signal)
  if (certificate === undefined) throw new AcmeError('the certificate authority issued no certificate')
  return { chain: (await client.post(certificate)).text, key }
}

async function prove(client: AcmeClient, wish: Wish, url: string): Promise<void> {
  const { status, challenges } = (await client.post(url)).json<Authorization>()
  if (status === 'valid') return
  const challenge = challenges.find(({ type }) => type === wish.kind)
  if (!challenge) throw new AcmeError(`the certificate authority does not offer ${wish.kind}`)
  const { token } = challenge
  if (!/^[\w-]{1,200}$/.test(token)) throw new AcmeError('the certificate authority gave a malformed token')
  await wish.show({
    kind: wish.kind,
    name: wish.name,
    token,
    key_authorization: wish.account.authorize(token),
  })
  await client.post(challenge.url, {})
  await settled<Authorization>(client, url, wish.signal)
}

/** Milliseconds for the authority to look at a challenge or to sign. */
const longestWait = 120_000
const shortestPause = 250
const longestPause = 10_000

/** Asks until the authority has decided. */
async function settled<T extends Step>(client: AcmeClient, url: string, signal: AbortSignal): Promise<T> {
  const end = performance.now() + longestWait
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const answer = await client.post(url)
    const step = answer.json<T>()
    if (step.status === 'valid') return step
    if (step.status === 'invalid') throw problemIn(reasonIn(step))
    if (performance.now() > end)
      throw new AcmeError('the certificate authority did not decide within two minutes')
    await sleep(wishedPause(answer, pause), undefined, { signal })
  }
}

function wishedPause({ headers }: Answer, otherwise: number): number {
  return Math.min((retryAfter(headers) ?? 0) * 1000 || otherwise, longestPause)
}

function reasonIn(step: Step & { challenges?: Authorization['challenges'] }): unknown {
  return step.error ?? step.challenges?.find(({ error }) => error)?.error
}
