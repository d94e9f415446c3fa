import {
  type CalendarSource,
  type ChangesOf,
  invalid,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { findPlaceProblem } from '../../holidays/holidays.ts'
import { refuseUnreachable } from '../../outbound/refuse-unreachable.ts'
import { findObject } from '../../store/find.ts'
import { sealedAs } from '../../vault/contexts.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { freeDays } from './free-days.ts'

type Changes = ChangesOf<Resources['calendar']>

export const calendarBehaviour = behaviour('calendar', {
  async beforeCreate(work, values) {
    return values.source ? begin(work, values.id, values.source) : {}
  },
  async beforeEdit(work, before, changes) {
    if (changes.source === undefined) return {}
    if (changes.source === null) {
      await freeDays(work, before.id)
      return { ...idle, refreshed_at: null, refresh_error: null, refresh_due_at: null, url_ciphertext: null }
    }
    if (await isSameUrl(work, before, changes.source)) {
      const given: { source?: unknown } = changes
      delete given.source
      return {}
    }
    return { ...begin(work, before.id, changes.source), accepted_hash: anything }
  },
})

/** Whoever refreshes meanwhile notices that it is no longer the owner, and writes nothing. */
const idle = { refresh_owner: null, refresh_owned_until: null, held_back_hash: null, accepted_hash: null }

/** Somebody chose another source, so its days replace those of the one before, however many are lost. */
export const anything = '*'

function begin(work: Work, id: string, source: CalendarSource): Changes {
  const started = { ...idle, refreshed_at: null, refresh_error: null, refresh_due_at: work.now }
  if (source.type === 'country') {
    refuseUnknown(source)
    return { ...started, url_ciphertext: null }
  }
  const url = reachableUrl(work, source.url ?? '')
  return {
    ...started,
    source: { type: 'ics', host: new URL(url).host },
    url_ciphertext: work.context.vault.encrypt(url, sealedAs.calendar(id)),
  }
}

function refuseUnknown({ country, region }: CalendarSource & { type: 'country' }): void {
  const problem = findPlaceProblem(country, region)
  if (problem) throw invalid(`source.${problem.part}`, `source.${problem.part}: ${problem.message}`)
}

function reachableUrl({ context }: Work, url: string): string {
  if (!URL.canParse(url)) throw invalid('source.url', 'source.url must be an http or https URL')
  refuseUnreachable(context.config, 'source.url', url)
  return url
}

/** The stored source has no URL to compare with, so the secret is opened. */
async function isSameUrl(
  work: Work,
  { id, source }: StoredOf<Resources['calendar']>,
  wanted: CalendarSource,
): Promise<boolean> {
  if (wanted.type !== 'ics' || source?.type !== 'ics') return false
  const reach = { organization_id: work.caller.organization_id }
  const held = await findObject(work.db, resources.calendar, reach, id, { hidden: ['url_ciphertext'] })
  return (
    held?.url_ciphertext != null &&
    work.context.vault.decrypt(held.url_ciphertext, sealedAs.calendar(id)) === wanted.url
  )
}
