import { spawn } from 'node:child_process'
import type { Logger } from 'pino'

const longest = 600_000
/** Files that wait for the hook. Beyond that, the hook is too slow to be told of each. */
const mostWaiting = 1000
/** Settings that a hook has no use for. */
const secrets =
  /^(GATEHOUSE_SECRET_KEY|GATEHOUSE_SMTP_URL|DATABASE_(DIRECT_|READ_)?URL|PGPASSWORD|OTEL_EXPORTER_OTLP_.*HEADERS)$/

/** Runs a command after each file, with its path as the last argument, one file after another. */
export class Hook {
  readonly #command: string | undefined
  readonly #log: Pick<Logger, 'warn'>
  readonly #waiting: string[] = []
  #running: Promise<void> | undefined

  constructor(command: string | undefined, log: Pick<Logger, 'warn'>) {
    this.#command = command
    this.#log = log
  }

  /** Never fails: the backup is whole whatever the hook does with it. */
  tell(path: string): void {
    if (!this.#command) return
    if (this.#waiting.length >= mostWaiting)
      return void this.#log.warn({ path }, 'the backup hook is too slow: it is not told of this file')
    this.#waiting.push(path)
    this.#running ??= this.#run(this.#command)
  }

  /** Resolves once the hook was told of every file. */
  async settled(): Promise<void> {
    await this.#running
  }

  async #run(command: string): Promise<void> {
    for (let path = this.#waiting.shift(); path !== undefined; path = this.#waiting.shift()) {
      const reason = await runHook(command, path)
      if (reason !== undefined) this.#log.warn({ path, reason }, 'the backup hook failed')
    }
    this.#running = undefined
  }
}

function runHook(command: string, path: string): Promise<string | undefined> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !secrets.test(name)))
  return new Promise(resolve => {
    const child = spawn('/bin/sh', ['-c', `${command} "$@"`, 'sh', path], {
      cwd: '/',
      env,
      stdio: 'ignore',
      timeout: longest,
    })
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? code}`))
  })
}
