import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { compiled } from '@gatehouse-access/testkit'
import { runCommand } from '../src/run-command.ts'

export const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface Said {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command in this process: loading the whole service again takes longer than most commands. */
export async function gatehouse(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Said> {
  const said = { stdout: '', stderr: '' }
  const open = (name: keyof typeof said) => ({
    write(text: string) {
      said[name] += text
    },
  })
  const terminal = { stdin: Readable.from([input]), stdout: open('stdout'), stderr: open('stderr') }
  return { code: await runCommand(args, env, terminal), ...said }
}

/** Runs the command in a separate process, as users do. */
export async function gatehouseProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Said> {
  const inherited = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiled }
  const child = spawn(process.execPath, [main, ...args], { env: { ...inherited, ...env } })
  child.stdin.end(input)
  const closed = new Promise<number | null>(resolve => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, stdout, stderr }
}
