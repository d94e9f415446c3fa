import type { Type } from './type.ts'

/**
 * What a value is to the person it is about. `free`: text that people typed, in which anything may be. Null: not
 * personal. Erasing, exporting and keeping events go by it.
 */
export const personalClasses = ['identity', 'contact', 'movement', 'technical', 'secret', 'free'] as const
export type PersonalClass = (typeof personalClasses)[number]

interface Classified {
  readonly personal?: PersonalClass | null
  readonly type: Type<unknown>
}

const texts: ReadonlySet<string> = new Set(['text', 'text[]', 'jsonb', 'bytea'])

/**
 * Returns the class of a field; undefined for a text, JSON or bytes whose declaration does not say. IDs and choices
 * tell nothing by themselves, and bytes are keys, ciphertexts and digests.
 */
export function personalOf({ personal, type }: Classified): PersonalClass | null | undefined {
  if (personal !== undefined) return personal
  if (type.column === 'bytea') return 'secret'
  return type.target || type.choices || !texts.has(type.column) ? null : undefined
}
