import type { AccessMethod, FieldChange, SiteZone } from '@gatehouse-access/api'
import { scheduleWords } from '../groups/rule.ts'
import { spoken, t } from '../language/t.ts'
import { capital } from '../parts/capital.ts'
import { inZone, momentAt } from '../parts/door-time.ts'
import { quoted } from '../parts/quoted.ts'
import { dayNames } from '../schedules/day-names.ts'
import { fieldWords } from './field-words.ts'
import { methodWords } from './method-words.ts'

/** Lists whose entries have a name. */
const entryWords: Record<string, string> = spoken({
  permissions: 'rule',
  weekdays: 'day',
  exceptions: 'exception',
  special_days: 'special day',
  actions: 'action',
  states: 'state',
  signals: 'signal',
  input_rules: 'input rule',
})

/** Says one change in a sentence: `Name changed from “Lobby” to “Reception”.` */
export function changeSentence(change: FieldChange, zone?: SiteZone): string {
  const what = capital(placeWords(change))
  const { after, before, is_cut, is_secret } = change
  if (is_secret) return t(`${what} was changed. It is not shown.`)
  if (is_cut && before == null && after == null) return t(`${what} was changed.`)
  const words = (value: unknown) => valueWords(change.field, value, zone, keyOf(change))
  if (before == null) return t(`${what} was set to ${words(after)}.`)
  if (after == null) return t(`${what} was removed; it was ${words(before)}.`)
  return t(`${what} changed from ${words(before)} to ${words(after)}.`)
}

/** Says the changes of a line in a few words: `name: “Lobby” → “Reception”`, or only which fields changed. */
export function shortChanges(changes: readonly FieldChange[] | null | undefined): string | undefined {
  if (!changes || changes.length === 0) return undefined
  const [only] = changes
  if (changes.length === 1 && only && !only.is_cut && !only.is_secret) {
    const { after, before } = only
    const words = [before, after].map(value =>
      value == null ? t('nothing') : valueWords(only.field, value, undefined, keyOf(only)),
    )
    const text = `${placeWords(only)}: ${words.join(' → ')}`
    if (text.length <= 80) return text
  }
  return [...new Set(changes.map(({ field }) => nameOf(field)))].join(', ')
}

/** Returns `rule 2, schedule` for the place `1.schedule_id` in `permissions`. */
function placeWords({ field, path }: FieldChange): string {
  if (!path) return nameOf(field)
  if (field === 'metadata') return t(`metadata “${path}”`)
  const [first = '', ...rest] = path.split('.')
  const entry = /^\d+$/.test(first) ? entryOf(field, Number(first)) : `${nameOf(field)}, ${nameOf(first)}`
  return [entry, ...rest.filter(key => !isPlain(key)).map(nameOf)].join(', ')
}

/** The ranges of a day are the day itself. */
function isPlain(key: string): boolean {
  return key === 'ranges' || /^\d+$/.test(key)
}

function entryOf(field: string, index: number): string {
  if (field === 'weekdays') return dayNames[index] ?? field
  return `${entryWords[field] ?? nameOf(field)} ${index + 1}`
}

/** Returns what people call a field. One that is not known here, such as of a newer service, keeps its name. */
export function nameOf(field: string): string {
  return fieldWords[field] ?? methodWords[field as AccessMethod] ?? field.replaceAll('_', ' ')
}

/** Choices that say nothing by themselves. */
const choiceWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  presence: spoken({ gps: 'required', none: 'not required' }),
  recurrence: spoken({ none: 'once', yearly: 'every year' }),
}

function keyOf({ field, path }: FieldChange): string {
  return path?.split('.').at(-1) ?? field
}

function valueWords(field: string, value: unknown, zone?: SiteZone, key = field): string {
  const choice = choiceWords[key]?.[String(value)]
  if (choice) return choice
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return textWords(value, zone)
  if (value == null || (Array.isArray(value) && value.length === 0)) return t('nothing')
  if (isRanges(value)) return rangeWords(value)
  if (field === 'weekdays' && isWeek(value)) return scheduleWords(value)
  if (Array.isArray(value)) return value.map(entry => valueWords(field, entry, zone)).join(', ')
  return typeof value === 'object' ? objectWords(field, value, zone) : String(value)
}

/** IDs are left as they are, so that a page can put names in their place. */
export const idPattern = /\b((?:site|dev|gad|gt|sch|mg|mem|cal|crd|tag|ur|ep|em)_[0-9a-hjkmnp-tv-z]{20})\b/

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z$/

function textWords(value: string, zone: SiteZone | undefined): string {
  if (idPattern.test(value) && value.length < 30) return value
  return isTime.test(value) ? inZone(momentAt(value, zone), zone) : quoted(value)
}

/** Returns `site …, schedule …, methods PIN or card`. */
function objectWords(field: string, value: object, zone: SiteZone | undefined): string {
  const entries = Object.entries(value).filter(([, held]) => held != null && held !== '' && held !== 'none')
  if (entries.length > 0 && entries.every(([name]) => name in methodWords)) return allowedWords(entries)
  return (
    entries.map(([name, held]) => `${nameOf(name)} ${valueWords(field, held, zone, name)}`).join(', ') ||
    (field === 'permissions' ? t('everything at every site') : t('nothing'))
  )
}

function allowedWords(entries: readonly [string, unknown][]): string {
  const allowed = entries
    .filter(([, held]) => held === true)
    .map(([name]) => methodWords[name as AccessMethod])
  return allowed.join(t(' or ')) || t('none')
}

type Ranges = readonly { readonly start: number; readonly end: number }[]

function isRanges(value: unknown): value is Ranges {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(range => typeof range?.start === 'number' && typeof range.end === 'number')
  )
}

function isWeek(value: unknown): value is readonly { readonly ranges: Ranges }[] {
  return Array.isArray(value) && value.length === 7 && value.every(day => Array.isArray(day?.ranges))
}

function rangeWords(ranges: Ranges): string {
  return ranges.map(({ start, end }) => t(`${clock(start)} to ${clock(end)}`)).join(t(' and '))
}

function clock(second: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${part(second / 3600)}:${part((second % 3600) / 60)}`
}
