import type { Draft } from '../../form/draft.ts'
import { t } from '../../language/t.ts'

export function joinLines(lines: readonly string[]): string {
  return lines.join('\n')
}

/** Keeps an empty last line, which is needed while the user types. It is dropped when the list is sent. */
export function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map(line => line.trim())
}

/** Returns the service's error for the list, or for the first line that has one. */
export function lineError<V extends object>(draft: Draft<V>, name: keyof V & string): string | undefined {
  const lines = draft.values[name] as readonly string[]
  const at = [...lines.keys()].find(index => draft.errorOf(`${name}.${index}`))
  return at === undefined ? draft.errorOf(name) : t(`Line ${at + 1}: ${draft.errorOf(`${name}.${at}`)}`)
}
