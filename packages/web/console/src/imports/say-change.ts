import type { SiteZone } from '@gatehouse-access/api'
import { nameOf } from '../events/change-words.ts'
import { t } from '../language/t.ts'
import { momentAt } from '../parts/door-time.ts'

type Values = Readonly<Record<string, unknown>>

export interface Changed {
  readonly before: Values | null
  readonly after: Values | null
}

const shownOfNew = [
  'external_id',
  'starts_at',
  'ends_at',
  'language',
  'member_group_ids',
  'tag_ids',
  'emails',
  'pins',
  'card_ids',
  'magic_links',
  'uid',
  'printed_code',
]

/** Says what a row changes: `groups: … → …; metadata “floor”: 2 → 3`. IDs of groups and tags are left for a page to name. */
export function sayChange({ before, after }: Changed, zone?: SiteZone): string {
  if (!after) return ''
  const names = Object.keys(after).filter(name => name !== 'metadata')
  const shown = before ? names : shownOfNew.filter(name => !isEmpty(after[name]))
  const say = (what: string, old: unknown, now: unknown) =>
    before ? `${what}: ${sayValue(old, zone)} → ${sayValue(now, zone)}` : `${what}: ${sayValue(now, zone)}`
  const [old, now] = [before?.metadata, after.metadata].map(values => (values ?? {}) as Values) as [
    Values,
    Values,
  ]
  const keys = Object.keys({ ...old, ...now }).filter(key => old[key] !== now[key])
  return [
    ...shown.map(name => say(nameOf(name), before?.[name], after[name])),
    ...keys.map(key => say(t(`metadata “${key}”`), old[key], now[key])),
  ].join('; ')
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z$/

const isToldByName = /^(mg|tag)_|@/

function sayValue(value: unknown, zone: SiteZone | undefined): string {
  if (isEmpty(value)) return t('none')
  if (Array.isArray(value))
    return value.every(one => isToldByName.test(String(one))) ? value.join(', ') : String(value.length)
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (typeof value === 'object') return JSON.stringify(value)
  return isTime.test(String(value)) ? momentAt(String(value), zone) : String(value)
}
