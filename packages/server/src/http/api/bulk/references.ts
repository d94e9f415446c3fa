import { isRecord } from '../../../flow/record.ts'

/** `$a.id`: the id in the result of the operation `a`. With one more `$` in front, it is the text `$a.id`. */
const reference = /^\$([A-Za-z0-9_-]{1,64})\.id$/
const escaped = /^\$(\$+[A-Za-z0-9_-]{1,64}\.id)$/

/** Returns the names of the operations that a body or a segment of a path refers to. */
export function referencesIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const name = reference.exec(value)?.[1]
    return name === undefined ? [] : [name]
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : []
}

/** Whether a value holds references, or texts that only look like one. */
export function mentions(value: unknown): boolean {
  if (typeof value === 'string') return reference.test(value) || escaped.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(mentions)
}

/** Returns the value with every reference replaced by the id that `find` returns. */
export function replaceReferences(value: unknown, find: (name: string) => string): unknown {
  if (typeof value === 'string') return replaceText(value, find)
  if (Array.isArray(value)) return value.map(entry => replaceReferences(entry, find))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, replaceReferences(entry, find)]),
  )
}

export function replaceText(value: string, find: (name: string) => string): string {
  if (!value.startsWith('$')) return value
  const name = reference.exec(value)?.[1]
  return name === undefined ? value.replace(escaped, '$1') : find(name)
}
