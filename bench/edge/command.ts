import { readFileSync } from 'node:fs'

export const edgeMain = new URL('../../packages/edge/src/main.ts', import.meta.url).pathname

/** Returns the Node flags of the command's first line, which suit machines with little memory. */
export function edgeArguments(): string[] {
  const [line = ''] = readFileSync(edgeMain, 'utf8').split('\n')
  const words = line.split(' ')
  return words.slice(words.indexOf('node') + 1)
}
