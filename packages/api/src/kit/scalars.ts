import { idPattern, isId, parseTimestamp } from '@gatehouse-access/core'
import { type Kind, prefixes } from '../prefixes.ts'
import { refuse, type Type } from './type.ts'

interface TextOptions {
  min?: number
  pattern?: RegExp
  format?: string
  expected?: string
  normalize?(value: string): string
}

/**
 * Text without NUL and lone surrogates, which PostgreSQL and JSON cannot hold. Lengths are in code points.
 */
export function text(max: number, options: TextOptions = {}): Type<string> {
  const min = options.min ?? 1
  const expected = options.expected ?? `a string of ${min} to ${max} characters`
  return {
    schema: {
      type: 'string',
      minLength: min,
      maxLength: max,
      ...(options.pattern && { pattern: options.pattern.source }),
      ...(options.format && { format: options.format }),
    },
    column: 'text',
    parse(value, path) {
      if (typeof value !== 'string') return refuse(path, expected, value)
      if (!isStorable(value)) return refuse(path, `${expected} without NUL or lone surrogates`, value)
      if (!hasLength(value, min, max)) return refuse(path, expected, value)
      if (options.pattern && !options.pattern.test(value)) return refuse(path, expected, value)
      return options.normalize ? options.normalize(value) : value
    },
  }
}

/**
 * A display name. It appears in emails and lists, so it must be a single line: line breaks and other control
 * characters could be used to spoof other content.
 */
export const nameText: Type<string> = {
  ...text(255),
  parse(value, path) {
    const checked = text(255).parse(value, path)
    return /[\p{Cc}\u2028\u2029]/u.test(checked)
      ? refuse(path, 'a name on one line, without control characters', value)
      : checked
  },
}

/** A color as `#rrggbb`. */
export const color = text(7, {
  pattern: /^#[0-9A-Fa-f]{6}$/,
  expected: 'a color like #1e90ff',
  normalize: value => value.toLowerCase(),
})

/** A code point is one or two code units, so most strings need no counting. */
function hasLength(value: string, min: number, max: number): boolean {
  if (value.length >= 2 * min && value.length <= max) return true
  const length = [...value].length
  return length >= min && length <= max
}

export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

/** The id of an object of the given kind. Its existence is checked on write. */
export function reference(kind: Kind): Type<string> {
  const prefix = prefixes[kind]
  return {
    schema: { type: 'string', pattern: idPattern(prefix) },
    column: 'text',
    target: kind,
    parse(value, path) {
      if (typeof value !== 'string' || !isId(prefix, value))
        return refuse(path, `a ${kind} id (${prefix}_…)`, value)
      return value
    },
    references: (id, field) => [{ field, kind, id }],
  }
}

export const timestamp: Type<string> = {
  schema: { type: 'string', format: 'date-time' },
  column: 'timestamp with time zone',
  parse(value, path) {
    const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined
    return parsed ?? refuse(path, 'an ISO 8601 date-time with an offset, like 2026-11-14T09:30:00Z', value)
  },
}

export function integer(minimum: number, maximum: number): Type<number> {
  return {
    schema: { type: 'integer', minimum, maximum },
    column: 'integer',
    parse(value, path) {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum)
        return refuse(path, `an integer from ${minimum} to ${maximum}`, value)
      return value
    },
  }
}

export function number(minimum: number, maximum: number): Type<number> {
  return {
    schema: { type: 'number', minimum, maximum },
    column: 'double precision',
    parse(value, path) {
      if (typeof value !== 'number' || !(value >= minimum && value <= maximum))
        return refuse(path, `a number from ${minimum} to ${maximum}`, value)
      return value
    },
  }
}

export const flag: Type<boolean> = {
  schema: { type: 'boolean' },
  column: 'boolean',
  parse: (value, path) => (typeof value === 'boolean' ? value : refuse(path, 'true or false', value)),
}

export function choice<const Choice extends string>(...choices: readonly Choice[]): Type<Choice> {
  return {
    schema: { type: 'string', enum: choices },
    column: 'text',
    choices,
    parse(value, path) {
      return choices.find(known => known === value) ?? refuse(path, `one of ${choices.join(', ')}`, value)
    },
  }
}

/** Ids of actions, states and signals: plain strings from a gadget's configuration. */
export const localId = text(64, {
  pattern: /^[a-z0-9_]{1,64}$/,
  expected: 'an id of 1 to 64 characters a-z, 0-9 and _',
})

export const email = text(254, {
  pattern: /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/,
  format: 'email',
  expected: 'an email address of at most 254 characters',
})

export const url: Type<string> = {
  ...text(2048, { format: 'uri' }),
  parse(value, path) {
    const checked = text(2048, { expected: 'a URL of at most 2048 characters' }).parse(value, path)
    if (!/^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(checked))
      return refuse(path, 'an http or https URL', value)
    return checked
  },
}

/** Checks the shape of a name. Which zones exist is for the service's zone data to say, not for this runtime. */
export const timezone: Type<string> = {
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  column: 'text',
  parse(value, path) {
    if (typeof value === 'string' && value.length <= 64 && zonePattern.test(value))
      return usualSpelling(value)
    return refuse(path, expectedZone, value)
  },
}

export const expectedZone = 'a known IANA time zone like Europe/Madrid'
const zonePattern = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/

/** Zone names ignore case. A name that this runtime does not know stays as it is. */
function usualSpelling(name: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return name
  }
}

/** A BCP 47 tag in canonical form. An empty string means null. */
export const language: Type<string | null> = {
  schema: { type: 'string', maxLength: 255, pattern: '^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$' },
  column: 'text',
  parse(value, path) {
    if (value === '') return null
    return canonicalTag(value) ?? refuse(path, 'a BCP 47 language tag like es or pt-BR', value)
  },
}

function canonicalTag(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 255) return undefined
  try {
    return Intl.getCanonicalLocales(value)[0]
  } catch {
    return undefined
  }
}

/** Secrets and digests in the database. They never appear in a body or a response. */
export const bytes: Type<Uint8Array> = {
  schema: {},
  column: 'bytea',
  parse: (_value, path) => refuse(path, 'left out', '…'),
}
