import { invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import { refuseUnreachable } from '../../outbound/refuse-unreachable.ts'
import { sealedAs } from '../../vault/contexts.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'

type Target = StoredOf<Resources['notification_target']>
type Kind = Target['kind']
type Part = 'address' | 'url' | 'topic'

/** What a target of each kind needs, and what is secret of it. */
const needs = {
  email: { parts: ['address'], secret: undefined },
  ntfy: { parts: ['url', 'topic'], secret: 'token' },
  http: { parts: ['url'], secret: 'secret' },
} as const satisfies Record<Kind, { parts: readonly Part[]; secret: 'token' | 'secret' | undefined }>

export const notificationTargetBehaviour = behaviour('notification_target', {
  settle(after, before) {
    checkParts(after)
    const isProved =
      after.kind !== 'email' || (before?.is_verified === true && before.address === after.address)
    return { is_verified: isProved, name: after.name ?? usualName(after) }
  },
  async beforeCreate(work, values) {
    if (values.url !== null) checkUrl(work, values.url)
    const { kind, secret = null } = values
    return sealed(work, values, kind === 'http' ? { ...values, secret } : values)
  },
  async beforeEdit(work, before, changes) {
    if (changes.url != null) checkUrl(work, changes.url)
    return sealed(work, before, isElsewhere(before, changes) ? { token: null, ...changes } : changes)
  },
})

/**
 * Whether an access token would go to another server. Whoever moves a target may not know it, and could read it
 * there. The key of signatures is never sent.
 */
function isElsewhere(
  { kind, url }: Pick<Target, 'kind' | 'url'>,
  changes: { readonly url?: string | null },
): boolean {
  if (kind !== 'ntfy' || url === null || changes.url == null) return false
  return new URL(url).origin !== new URL(changes.url).origin
}

function checkParts(target: Pick<Target, 'kind' | Part>): void {
  const needed: readonly string[] = needs[target.kind].parts
  for (const part of ['address', 'url', 'topic'] as const) {
    if (needed.includes(part) === (target[part] !== null)) continue
    const word = needed.includes(part) ? 'is required' : 'must be absent'
    throw invalid(part, `${part} ${word} when kind is ${target.kind}`)
  }
}

function checkUrl({ context }: Work, url: string): void {
  if (!URL.canParse(url)) throw invalid('url', `url must be an http or https URL, not ${url}`)
  refuseUnreachable(context.config, 'url', url)
}

function usualName({ address, topic, url }: Pick<Target, Part>): string {
  return address ?? topic ?? new URL(url ?? '').host
}

interface Given {
  readonly token?: string | null | undefined
  readonly secret?: string | null | undefined
}

/** Encrypts what is secret. It is never answered, so whoever reads the target cannot send in its name. */
function sealed(
  { context }: Work,
  { id, kind }: Pick<Target, 'id' | 'kind'>,
  given: Given,
): { secret_ciphertext?: Uint8Array | null } {
  for (const name of ['token', 'secret'] as const)
    if (given[name] != null && needs[kind].secret !== name)
      throw invalid(name, `${name} must be absent when kind is ${kind}`)
  const value = kind === 'ntfy' ? given.token : given.secret
  if (value === undefined) return {}
  if (value === null && kind === 'http') throw invalid('secret', 'secret is required when kind is http')
  if (value === null) return { secret_ciphertext: null }
  return { secret_ciphertext: context.vault.encrypt(value, sealedAs.notification_target(id)) }
}
