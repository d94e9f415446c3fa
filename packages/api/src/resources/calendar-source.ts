import { invalid } from '../errors.ts'
import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, text, url } from '../kit/scalars.ts'
import { refuse, show, type Type } from '../kit/type.ts'

export const holidayKinds = ['public', 'bank', 'school', 'optional', 'observance'] as const
export type HolidayKind = (typeof holidayKinds)[number]

const upper = { normalize: (value: string) => value.toUpperCase() }

/** A place of the built-in tables of holidays. */
export const tableParts = {
  country: text(2, { pattern: /^[A-Za-z]{2}$/, expected: 'a country code like ES', ...upper }),
  region: text(21, {
    pattern: /^[A-Za-z0-9]{1,10}(-[A-Za-z0-9]{1,10})?$/,
    expected: 'the code of a region like MD',
    ...upper,
  }),
  kinds: list(choice(...holidayKinds), { min: 1, max: holidayKinds.length, unique: true }),
}

const icsParts = {
  type: required(choice('ics'), 'A calendar file on the web.'),
  url: required(url, 'Where it is. Write-only.'),
}
const countryParts = {
  type: required(choice('country'), 'The built-in tables of holidays.'),
  country: required(tableParts.country, 'ISO 3166 code of the country.'),
  region: nullable(tableParts.region, 'Region inside the country.'),
  kinds: optional(tableParts.kinds, 'Kinds of holidays that are taken. Defaults to `["public"]`.'),
}
/** A source as bodies give it and responses show it. The service keeps the URL encrypted. */
export type CalendarSource =
  | { type: 'ics'; url?: string; host?: string }
  | { type: 'country'; country: string; region: string | null; kinds: HolidayKind[] }

const [ics, country] = [shape(icsParts), shape(countryParts)]

const commonParts = {
  type: required(choice('ics', 'country'), 'A calendar file on the web, or the built-in tables of holidays.'),
  country: optional(tableParts.country, 'Of `country`: ISO 3166 code of the country. Required.'),
  region: nullable(tableParts.region, 'Of `country`: region inside the country.'),
  kinds: optional(
    tableParts.kinds,
    'Of `country`: kinds of holidays that are taken. Defaults to `["public"]`.',
  ),
}
const given = shape({
  ...commonParts,
  url: optional(url, 'Of `ics`: http or https URL of the file. Required, and never shown again.'),
})
/** A URL may hold a secret, so responses show only where it leads. */
export const shownSource = shape({
  ...commonParts,
  host: optional(text(255), 'Of `ics`: the host in its URL.'),
})

export const calendarSource: Type<CalendarSource> = {
  schema: given.schema,
  column: 'jsonb',
  parse(value, path) {
    const type = typeOf(value)
    if (type === 'ics') return ics.parse(value, path)
    if (type === 'country') return whole(country.parse(value, path))
    if (type === undefined) return refuse(path, 'an object with a type, ics or country', value)
    throw invalid(`${path}.type`, `${path}.type must be one of ics, country, not ${show(type)}`)
  },
}

function typeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
}

function whole({ region = null, kinds = ['public'], ...rest }: Shape<typeof countryParts>): CalendarSource {
  return { ...rest, region, kinds }
}
