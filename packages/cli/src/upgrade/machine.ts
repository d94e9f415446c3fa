import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { CommandError } from '../command.ts'

/** The machine that is upgraded. Tests have one of their own. */
export interface Machine {
  /** The folder that its paths are below: `/` but in tests. */
  readonly root: string
  /** Runs a program to its end and returns what it printed. Throws a sentence if it fails. */
  run(program: string, flags: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>
}

/**
 * Programs run in sessions of their own: Ctrl-C or a kill ends this command between two steps, and never a package
 * manager in the middle of its work.
 */
export const thisMachine: Machine = {
  root: '/',
  async run(program, flags, env = process.env) {
    const child = spawn(program, [...flags], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | string>(resolve => {
      child.once('error', error => resolve(error.message))
      child.once('close', (code, signal) => resolve(code ?? String(signal)))
    })
    const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    if (end === 0) return stdout
    throw new CommandError(`${program} ${flags[0]} failed: ${lastLine(stderr) ?? `it ended with ${end}`}.`)
  },
}

function lastLine(printed: string): string | undefined {
  return printed.trim().split('\n').at(-1)?.replace(/\.$/, '') || undefined
}
