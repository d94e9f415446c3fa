import { isRecord } from '../../../flow/record.ts'

/** `$a.id`: the id in the result of the operation `a`. With one more `$` in front, it is the text `$a.id`. */
const reference = /^\$([A-Za-z0-9_-]{1,64})\.id$/
const escaped = /^\$(\$+[A-Za-z0-9_-]{1,64}\.id)$/

/** What a body and a path refer to. */
export interface References {
  readonly names: ReadonlySet<string>
  /** Whether there are texts that only look like references. */
  readonly has_escaped: boolean
}

/** Returns the names of the operations that a value refers to. It may be a mebibyte: each text is looked at once. */
export function referencesIn(value: unknown): References {
  const names = new Set<string>()
  let has_escaped = false
  const look = (part: unknown) => {
    if (typeof part === 'string') {
      if (!part.startsWith('$')) return
      const name = reference.exec(part)?.[1]
      if (name !== undefined) names.add(name)
      else has_escaped ||= escaped.test(part)
    } else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) look(inner)
  }
  look(value)
  return { names, has_escaped }
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
