import { isStorable } from '../kit/scalars.ts'
import { refuse, type Type } from '../kit/type.ts'

/** Bytes of a calendar file in a body. The service counts them; here only longer texts are refused. */
export const largestIcs = 1024 * 1024

export const icsText: Type<string> = {
  schema: { type: 'string', minLength: 1, maxLength: largestIcs },
  column: 'text',
  parse: (value, path) =>
    typeof value === 'string' && value !== '' && value.length <= largestIcs && isStorable(value)
      ? value
      : refuse(path, 'a calendar file of at most 1 MiB without NUL or lone surrogates', value),
}
