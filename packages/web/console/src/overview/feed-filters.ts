import type { verbs } from '@gatehouse-access/api'
import type { QueryOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import type { LiveEvent } from '../live/stream.ts'

/** What the live list can be narrowed to. The service is asked for the same as the stream is searched for. */
export interface FeedFilter {
  readonly label: string
  /** The service compares a field with one value only, so a filter may need several answers. */
  readonly queries: readonly QueryOf<'events'>[]
  matches(event: LiveEvent): boolean
}

function ofType(label: string, type: LiveEvent['object']['type']): FeedFilter {
  return { label, queries: [{ 'object.type': type }], matches: ({ object }) => object.type === type }
}

type Verb = (typeof verbs)[number]
const changing: readonly Verb[] = ['create', 'edit', 'delete']
/** The events of these are called created, but they change nothing. */
const unchanging: readonly LiveEvent['object']['type'][] = ['access_denial', 'gadget_signal']

const changes: FeedFilter = {
  label: t('Changes'),
  // As many as there can be, because those that change nothing are taken out of them.
  queries: changing.map(verb => ({ verb, limit: 100 })),
  matches: ({ verb, object }) => changing.includes(verb) && !unchanging.includes(object.type),
}

export const feedFilters = {
  all: { label: 'Everything', queries: [{}], matches: () => true },
  opened: ofType(t('Openings'), 'gadget_action'),
  denied: ofType(t('Denials'), 'access_denial'),
  alarms: ofType(t('Alarms'), 'alarm'),
  changes,
} as const satisfies Record<string, FeedFilter>
export type FeedChoice = keyof typeof feedFilters
