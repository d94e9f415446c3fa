import type { KeyObject } from 'node:crypto'
import { parseRecoveryKey } from '@gatehouse-access/server'
import { CommandError, type Input } from './command.ts'

/** Reads the recovery key from standard input: an argument would be seen by others on the machine. */
export async function readRecoveryKey({ terminal }: Input): Promise<KeyObject> {
  return parseRecoveryKey(await askForKey({ terminal }, 'Recovery key', 'The recovery key'))
}

/** Reads the text of a key of 13 groups. */
export async function askForKey(
  { terminal }: Pick<Input, 'terminal'>,
  prompt: string,
  name: string,
): Promise<string> {
  terminal.stderr.write(`${prompt}: `)
  const line = await readLine(terminal.stdin)
  terminal.stderr.write('\n')
  if (line.trim()) return line
  throw new CommandError(`${name} is missing: give its 13 groups of four characters on standard input.`)
}

async function readLine(stdin: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.trimStart().includes('\n')) break
  }
  return text.trimStart().split('\n', 1)[0] ?? ''
}
