import type { AccessMethod } from '@gatehouse-access/api'
import { t } from '../language/t.ts'
import { isSuspended, type Suspension } from '../suspensions/suspension.ts'

/** A member with its credentials, as lists of access expand it. */
export interface Holder {
  readonly name: string | null
  readonly emails: readonly Suspension[]
  readonly magic_links: readonly Suspension[]
  readonly tokens: readonly Suspension[]
  readonly pins: readonly Suspension[]
  readonly cards: readonly Suspension[]
}

export const holderExpands = ['emails', 'magic_links', 'tokens', 'pins', 'cards'].map(
  credentials => `member.${credentials}`,
)

type Way = 'card' | 'pin' | 'phone'

function wayOf(method: AccessMethod): Way {
  return method === 'card' || method === 'pin' ? method : 'phone'
}

const lacking: Record<Way, string> = {
  card: t('No valid card'),
  pin: t('No valid PIN'),
  phone: t('No valid link or email'),
}

/** Says what a member, whom the rules allow some methods, has none of at a moment. Undefined if one of the methods works. */
export function lackWords(
  holder: Holder,
  methods: readonly AccessMethod[],
  at = Date.now(),
): string | undefined {
  const { cards, pins, emails, magic_links, tokens } = holder
  const held = { card: cards, pin: pins, phone: [...emails, ...magic_links, ...tokens] }
  const ways = [...new Set(methods.map(wayOf))]
  if (ways.some(way => held[way].some(one => !isSuspended(one, at)))) return undefined
  const [way, ...others] = ways
  return way && others.length === 0 ? lacking[way] : t('No valid credentials')
}
