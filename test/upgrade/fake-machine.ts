import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Installed } from '../../packages/cli/src/upgrade/installed.ts'
import type { Machine } from '../../packages/cli/src/upgrade/machine.ts'

/** How the new version behaves when systemd starts it. */
export type Start = () => Promise<'ready' | 'broken'>

/** A machine with Debian's tools and systemd, whose service only says that it is ready. */
export class FakeMachine implements Machine, AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'))
  readonly installed: Installed
  readonly done: string[] = []
  /** The version that dpkg knows, and the one that runs. */
  package = 'old'
  running: string | undefined
  startNew: Start = async () => 'ready'
  /** Which step, counted from 0, never ends: all that a command does after it was killed. */
  hangs_at = Number.POSITIVE_INFINITY
  hung = Promise.withResolvers<void>()
  readonly #port: number
  #server: Server | undefined

  constructor(port: number) {
    this.#port = port
    const stage = join(this.root, 'usr/lib/gatehouse-next')
    const staged = join(stage, 'usr/lib/gatehouse/bin/gatehouse')
    this.installed = { by: 'debian', prefix: join(this.root, 'usr'), stage, staged }
    for (const folder of ['run/systemd/system', 'usr/lib/systemd/system'])
      mkdirSync(join(this.root, folder), { recursive: true })
    writeFileSync(join(this.root, 'usr/lib/systemd/system/gatehouse.service'), '')
    writeFileSync(this.file, '')
  }

  get file(): string {
    return join(this.root, 'gatehouse_9.9.9_any.deb')
  }

  get isChosen(): boolean {
    return existsSync(join(this.root, 'etc/systemd/system/gatehouse.service.d/upgrade.conf'))
  }

  run = async (program: string, flags: readonly string[]): Promise<string> => {
    if (this.done.length === this.hangs_at) {
      this.hung.resolve()
      return new Promise(() => {})
    }
    this.done.push([program.replace(this.root, ''), ...flags.filter(flag => !flag.startsWith('/'))].join(' '))
    if (program === 'dpkg-deb') return this.#unpack(flags)
    if (program === 'systemctl') return this.#control(flags[0] ?? '')
    if (program === 'apt-get') this.package = 'new'
    return program === this.installed.staged
      ? JSON.stringify({ pending: ['998-more.sql'], newer: [], differences: [] })
      : ''
  }

  #unpack([mode = '', , draft = '']: readonly string[]): string {
    if (mode === '--field') {
      const architecture = process.arch === 'x64' ? 'amd64' : process.arch
      return `Package: gatehouse\nVersion: 9.9.9\nArchitecture: ${architecture}\n`
    }
    const path = join(draft, 'usr/lib/gatehouse/package.json')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify({ version: '9.9.9' }))
    return ''
  }

  async #control(verb: string): Promise<string> {
    if (verb === 'daemon-reload') return ''
    await this.stop()
    if (verb !== 'stop') await this.start()
    return ''
  }

  /** What systemd does, also when the machine starts. */
  async start(): Promise<void> {
    const isNew = this.isChosen ? existsSync(this.installed.stage) : this.package === 'new'
    if (isNew && (await this.startNew()) === 'broken') throw new Error('Job for gatehouse.service failed')
    const server = createServer((_request, response) => response.end('{"status":"ready"}'))
    await new Promise<void>(resolve => server.listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
    this.running = isNew ? 'new' : 'old'
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server) await new Promise(resolve => server.close(resolve))
    this.#server = undefined
    this.running = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    rmSync(this.root, { recursive: true })
  }
}
