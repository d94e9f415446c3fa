import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../command.ts'

/** The machine that is upgraded. Tests have one of their own. */
export interface Machine {
  /** The folder that its paths are below: `/` but in tests. */
  readonly root: string
  /** Runs a program to its end and returns what it printed. Throws a sentence if it fails. */
  run(program: string, flags: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>
}

const lock = '/run/gatehouse-upgrade-step.lock'

/**
 * Programs run in sessions of their own and print into files: whatever ends this command, never ends a package
 * manager in the middle of its work. One runs at a time, so a repeat waits for the step that it interrupted.
 */
export const thisMachine: Machine = {
  root: '/',
  async run(program, flags, env = process.env) {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'))
    const paths = ['stdout', 'stderr'].map(name => join(folder, name))
    try {
      const end = await runDetached(['--close', lock, program, ...flags], env, paths)
      const [stdout = '', stderr = ''] = paths.map(path => readFileSync(path, 'utf8'))
      if (end === 0) return stdout
      throw new CommandError(`${program} ${flags[0]} failed: ${lastLine(stderr) ?? `it ended with ${end}`}.`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

async function runDetached(
  flags: string[],
  env: NodeJS.ProcessEnv,
  paths: string[],
): Promise<number | string> {
  const files = paths.map(path => openSync(path, 'w', 0o600))
  const child = spawn('flock', flags, { env, detached: true, stdio: ['ignore', ...files] })
  for (const file of files) closeSync(file)
  return new Promise(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('close', (code, signal) => resolve(code ?? String(signal)))
  })
}

function lastLine(printed: string): string | undefined {
  return printed.trim().split('\n').at(-1)?.replace(/\.$/, '') || undefined
}
