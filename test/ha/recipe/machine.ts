import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Cable } from './cable.ts'

const run = promisify(execFile)

export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL, Patroni and PgBouncer refuse to run as root. */
export async function postgresAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const ids = await Promise.all(['-u', '-g'].map(flag => run('id', [flag, 'postgres'])))
  const [uid = 0, gid = 0] = ids.map(({ stdout }) => Number(stdout))
  return { uid, gid }
}

/**
 * A program of the recipe. Its output goes to a file. It does not outlive this process, however that ends:
 * Patroni is asked to stop, so that it also stops its PostgreSQL.
 */
export class Program implements AsyncDisposable {
  readonly #start: () => ChildProcess
  #child: ChildProcess | undefined
  #exited: Promise<unknown> = Promise.resolve()

  constructor(command: string, flags: readonly string[], log: string, account: Account, env: object = {}) {
    const output = createWriteStream(log, { flags: 'a' })
    this.#start = () => {
      const goodbye = command === 'patroni' ? 'TERM' : 'KILL'
      const child = spawn('setpriv', ['--pdeathsig', goodbye, command, ...flags], {
        ...{ ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] },
        env: { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', ...env },
      })
      child.stdout?.pipe(output, { end: false })
      child.stderr?.pipe(output, { end: false })
      return child
    }
  }

  get pid(): number | undefined {
    return this.#child?.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined
  }

  start(): void {
    if (this.pid !== undefined) return
    const child = this.#start()
    this.#child = child
    this.#exited = new Promise(resolve => child.once('exit', resolve).once('error', resolve))
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#child?.kill(signal)
    await this.#exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL')
  }
}

/** One database machine: Patroni with its PostgreSQL, and the cable to the rest. */
export class Machine implements AsyncDisposable {
  readonly name: string
  readonly address: string
  readonly cable: Cable
  readonly #patroni: Program
  readonly #folder: string

  constructor(name: string, address: string, folder: string, patroni: Program, cable: Cable) {
    this.name = name
    this.address = address
    this.cable = cable
    this.#patroni = patroni
    this.#folder = folder
  }

  start(): void {
    this.#patroni.start()
  }

  /** Ends PostgreSQL with all its processes, as a crash of it would. Patroni goes on. */
  async killPostgres(): Promise<void> {
    await this.#signal('SIGKILL', await this.#postgres())
  }

  /** Ends everything at once, as a power cut of the machine would. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL', [this.#patroni.pid ?? 0, ...(await this.#postgres())])
    await this.#patroni.stop('SIGKILL')
  }

  /** The machine does nothing any more, but its connections stay open. */
  async freeze(): Promise<void> {
    await this.#signal('SIGSTOP', [this.#patroni.pid ?? 0, ...(await this.#postgres())])
  }

  /** Only the agent hangs: its PostgreSQL goes on as if it were the primary. */
  async freezePatroni(): Promise<void> {
    await this.#signal('SIGSTOP', [this.#patroni.pid ?? 0])
  }

  async thaw(): Promise<void> {
    await this.#signal('SIGCONT', [...(await this.#postgres()), this.#patroni.pid ?? 0])
  }

  async #signal(signal: NodeJS.Signals, pids: readonly number[]): Promise<void> {
    for (const pid of pids)
      try {
        if (pid > 0) process.kill(pid, signal)
      } catch {
        // It ended meanwhile.
      }
  }

  /** The postmaster and all its processes. */
  async #postgres(): Promise<number[]> {
    const postmaster = this.#postmaster()
    if (!postmaster) return []
    const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
    const parents = await Promise.all(pids.map(async pid => [Number(pid), await parentOf(pid)] as const))
    return [postmaster, ...parents.filter(([, parent]) => parent === postmaster).map(([pid]) => pid)]
  }

  #postmaster(): number | undefined {
    try {
      const pid = Number(readFileSync(join(this.#folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.#folder) ? pid : undefined
    } catch {
      return undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.thaw()
    await this.kill()
    await this.cable[Symbol.asyncDispose]()
  }
}

async function parentOf(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
}
