import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const parts = ['colours', 'base', 'contents', 'endpoint', 'tables', 'code', 'search', 'guide']

/** Returns the stylesheet of the reference, concatenated from its parts. */
export function readStyle(): string {
  return parts.map(part => readFileSync(join(import.meta.dirname, 'style', `${part}.css`), 'utf8')).join('\n')
}
