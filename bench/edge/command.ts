import { readFileSync } from 'node:fs'

export const edgeMain = new URL('../../packages/edge/src/main.ts', import.meta.url).pathname

/**
 * Returns the Node flags from the command's first line. They keep the young generation small, for machines
 * with little memory.
 */
export function edgeArguments(): string[] {
  const [line = ''] = readFileSync(edgeMain, 'utf8').split('\n')
  const words = line.split(' ')
  return words.slice(words.indexOf('node') + 1)
}
