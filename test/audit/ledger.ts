import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditOptions, verifyAudit, writeCheckpoint } from '@gatehouse-access/server'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { digestEvent, firstHash, nextHash } from '../../packages/server/src/audit/chain.ts'

/** An organization with a few sealed events, and folders of checkpoints. */
export interface Ledger extends AsyncDisposable {
  readonly w: World
  readonly tenant: Tenant
  readonly folders: readonly string[]
  run(text: string, ...params: unknown[]): Promise<Record<string, unknown>[]>
  /** Returns the ids of the events, in chain order. */
  events(): Promise<string[]>
  /** Waits until every event is in the chain. */
  sealed(): Promise<void>
  checkpoint(): Promise<boolean>
  verify(options?: AuditOptions): Promise<Awaited<ReturnType<typeof verifyAudit>>>
  /**
   * Simulates an attacker who controls the database: recomputes the chain from the current events, as if they
   * had always been so.
   */
  forge(): Promise<void>
}

export async function openLedger(): Promise<Ledger> {
  const place = await mkdtemp(join(tmpdir(), 'gatehouse-audit-'))
  const folders = [join(place, 'one'), join(place, 'two')]
  await Promise.all(folders.map(folder => mkdir(folder)))
  const w = await world({ delivery: true, checkpoint_dirs: folders, log_level: 'silent' })
  const tenant = await w.tenant()
  const { db, config } = w.server.context
  const run: Ledger['run'] = (text, ...params) => db.query<Record<string, unknown>>(text, params)
  const count = async (table: string) => Number((await run(`SELECT count(*) FROM ${table}`))[0]?.count)
  const ledger: Ledger = {
    w,
    tenant,
    folders,
    run,
    events: async () =>
      (await run('SELECT event_id FROM audit_links ORDER BY number')).map(row => row.event_id as string),
    sealed: () =>
      expect.poll(async () => (await count('audit_links')) === (await count('events'))).toBe(true),
    checkpoint: () => writeCheckpoint(w.server.context),
    verify: (options = { secret_keys: config.secret_keys, anchors: folders }) => verifyAudit(db, options),
    forge: () => forge(ledger),
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]()
      await rm(place, { recursive: true })
    },
  }
  for (const name of ['Ada', 'Bob', 'Eve']) await tenant.client.members.create({ name })
  await ledger.sealed()
  return ledger
}

async function forge({ w, tenant, run }: Ledger): Promise<void> {
  const id = tenant.organization_id
  const { feed } = w.server.context
  const stored = new Map(
    (await feed.page({ after: '0.0.0', batch: 500 })).map(({ event }) => [event.id, event]),
  )
  let hash = firstHash(id)
  for (const link of await run('SELECT number, event_id, salt FROM audit_links ORDER BY number')) {
    const digest = digestEvent(link.salt as Buffer, stored.get(String(link.event_id)) ?? {})
    hash = nextHash(hash, Number(link.number), link.event_id as string, digest)
    await run('UPDATE audit_links SET digest = $2, hash = $3 WHERE number = $1', link.number, digest, hash)
  }
  await run('UPDATE audit_heads SET hash = $1, checkpoint_number = 0', hash)
}
