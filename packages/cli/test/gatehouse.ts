import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { compiled } from '@gatehouse/testkit'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Runs the real command in a process of its own. */
export async function gatehouse(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const inherited = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiled }
  const child = spawn(process.execPath, [main, ...args], { env: { ...inherited, ...env } })
  child.stdin.end(input)
  const closed = new Promise<number | null>(resolve => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, stdout, stderr }
}
