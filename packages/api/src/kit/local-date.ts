import { refuse, type Type } from './type.ts'

/** A date on the calendar of a place. It has no zone: it begins when it begins there. */
export const localDate: Type<string> = {
  schema: { type: 'string', format: 'date' },
  column: 'text',
  parse: (value, path) =>
    typeof value === 'string' && isDate(value) ? value : refuse(path, 'a date like 2026-12-24', value),
}

function isDate(value: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(value)) return false
  try {
    return Temporal.PlainDate.from(value).toString() === value
  } catch {
    return false
  }
}
