import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@gatehouse-access/sdk'
import { connect, issueAccessToken, type Mark, markRecovered } from '@gatehouse-access/server'
import { cloneDatabase, type Tenant, type World, type WorldOptions, world } from '@gatehouse-access/testkit'
import { inject } from 'vitest'

const secret_keys = [randomBytes(32)] as const

/** A service that can be stopped, backed up, set back and started again. Its folder is never set back. */
export class Installation implements AsyncDisposable {
  readonly #owned = new AsyncDisposableStack()
  readonly #options: WorldOptions
  #database_url = ''
  #world: World | undefined
  readonly folder: string

  private constructor(folder: string, options: WorldOptions) {
    this.folder = folder
    this.#options = options
    this.#owned.defer(() => rm(folder, { recursive: true }))
  }

  static async open(options: WorldOptions = {}): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-recovery-'))
    const made = new Installation(folder, options)
    made.#database_url = made.#owned.use(await cloneDatabase(inject('databases'))).url
    return made
  }

  get database_url(): string {
    return this.#database_url
  }

  get env(): Record<string, string> {
    return {
      DATABASE_URL: this.#database_url,
      GATEHOUSE_CHECKPOINT_DIR: this.folder,
      GATEHOUSE_SECRET_KEY: secret_keys.map(key => key.toString('base64')).join(),
    }
  }

  async start(options: WorldOptions = {}): Promise<World> {
    const database = { url: this.#database_url, secret_keys }
    this.#world = await world({
      jobs: true,
      delivery: true,
      checkpoint_dirs: [this.folder],
      database,
      ...this.#options,
      ...options,
    })
    return this.#world
  }

  async stop(): Promise<void> {
    await this.#world?.[Symbol.asyncDispose]()
    this.#world = undefined
  }

  /** Copies the database of the stopped service, and returns the URL of the copy. */
  async copy(): Promise<string> {
    const template = new URL(this.#database_url).pathname.slice(1)
    return this.#owned.use(await cloneDatabase({ ...inject('databases'), template })).url
  }

  /** From now on the service is started on another database. */
  setBack(url: string): void {
    this.#database_url = url
  }

  async mark(more: Partial<Mark> = {}): Promise<void> {
    await using db = connect({ url: this.#database_url }, 2)
    const said = { target: new Date(), backupId: 'bak_1', by: 'Ada' }
    await markRecovered(db, { ...said, ledger: this.folder, secret_keys, ...more })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.#owned.disposeAsync()
  }
}

/** Acts for an organization at a service that was started again. */
export async function clientAt(
  { server, url }: World,
  { organization_id, oauth_application_id }: Tenant,
): Promise<Client> {
  const scopes = ['full_read_write']
  const token = await issueAccessToken(server.context, { organization_id, oauth_application_id, scopes })
  return createClient({ base_url: `${url}/v2`, token, retries: 0 })
}
