import { createInterface } from 'node:readline/promises'
import type { Input } from './command.ts'

/** Asks on the terminal. Anything but a y is a no. */
export async function isConfirmed({ terminal }: Input, question: string): Promise<boolean> {
  const reader = createInterface({ input: terminal.stdin, output: process.stdout })
  const answer = await reader.question(`${question} [y/N] `)
  reader.close()
  return answer.trim().toLowerCase() === 'y'
}
