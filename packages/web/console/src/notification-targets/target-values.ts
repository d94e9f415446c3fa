import type { Target } from './target.ts'

export interface TargetValues {
  readonly kind: Target['kind']
  readonly name: string
  readonly address: string
  readonly url: string
  readonly topic: string
  /** The token of ntfy, or the secret of http. */
  readonly secret: string
}

export function toValues(target: Target | undefined): TargetValues {
  return {
    kind: target?.kind ?? 'email',
    name: target?.name ?? '',
    address: target?.address ?? '',
    url: target?.url ?? '',
    topic: target?.topic ?? '',
    secret: '',
  }
}

/** Returns what the kind has. An empty name is left to the service. */
export function toBody(
  { kind, name, address, url, topic, secret }: TargetValues,
  target: Target | undefined,
) {
  const named = name.trim() && name !== target?.name ? { name: name.trim() } : {}
  if (kind === 'email') return { ...named, address: address.trim() }
  const where = kind === 'ntfy' ? { url: url.trim(), topic: topic.trim() } : { url: url.trim() }
  const kept = secret && (kind === 'ntfy' ? { token: secret } : { secret })
  return { ...named, ...where, ...kept }
}
