import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  acceptRestore,
  deriveAuditKey,
  eraseEvent,
  purgeOrganizations,
  startServer,
  writeCheckpoint,
} from '@gatehouse-access/server'
import { soak } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signDocument } from '../../packages/server/src/audit/signing.ts'
import { rotateSecrets } from '../../packages/server/src/services/keys/key-rotation.ts'
import { claimKeys, forgetOtherKeys } from '../../packages/server/src/services/keys/service-keys.ts'
import { type Ledger, openLedger } from './ledger.ts'

let l: Ledger
beforeEach(async () => {
  l = await openLedger()
})
afterEach(() => l[Symbol.asyncDispose]())

const first = async (...options: Parameters<Ledger['verify']>) => (await l.verify(...options)).breaks[0]
const alarm = async () => (await (await fetch(`${l.w.url}/readyz`)).json()).audit_alarm
const isClean = async () => expect((await l.verify()).breaks).toEqual([])

async function alter(): Promise<string> {
  const id = (await l.events())[1] as string
  await l.run(`UPDATE events SET verb = 'edit' WHERE id = $1`, id)
  return id
}

test('a removed salt needs a receipt that the service signed for this very link', async () => {
  const { db, config, clock } = l.w.server.context
  const [, altered = '', erased = ''] = await l.events()
  await l.run(`UPDATE events SET verb = 'edit' WHERE id = $1`, altered)
  await l.run('UPDATE audit_links SET salt = NULL WHERE event_id = $1', altered)
  expect(await first()).toMatchObject({
    kind: 'receipt',
    event_id: altered,
    message: expect.stringContaining('without a receipt'),
  })
  const strange = signDocument(deriveAuditKey(randomBytes(32)).signing, { number: 2 })
  await l.run('INSERT INTO audit_receipts VALUES ($1, 2, $2)', l.tenant.organization_id, strange)
  expect(await first()).toMatchObject({ message: expect.stringContaining('did not sign') })
  const key = deriveAuditKey(config.secret_keys[0] as Buffer)
  await eraseEvent(db, key, clock.now(), { event_id: erased, by: 'Ada', reason: 'asked for it' })
  await l.run(
    'UPDATE audit_receipts a SET document = b.document FROM audit_receipts b WHERE a.number = 2 AND b.number = 3',
  )
  expect(await first()).toMatchObject({ message: expect.stringContaining('of another event') })
})

test('an event that was altered is not erased, and one that was erased not altered', async () => {
  const { db, config, clock } = l.w.server.context
  const key = deriveAuditKey(config.secret_keys[0] as Buffer)
  const [, altered = '', erased = ''] = await l.events()
  const said = { by: 'Ada', reason: 'asked for it' }
  await eraseEvent(db, key, clock.now(), { event_id: erased, ...said })
  expect(await l.verify()).toMatchObject({ erased: 1, breaks: [] })
  await l.run(`UPDATE events SET object = '{"type": "site"}' WHERE id = $1`, erased)
  expect(await first()).toMatchObject({
    kind: 'receipt',
    message: expect.stringContaining('altered after it was erased'),
  })
  await l.run(`UPDATE events SET verb = 'edit' WHERE id = $1`, altered)
  await expect(eraseEvent(db, key, clock.now(), { event_id: altered, ...said })).rejects.toThrow(
    'was altered',
  )
})

test('a chain made anew, with every checkpoint gone, is not signed and does not verify', async () => {
  await l.checkpoint()
  await isClean()
  const id = await alter()
  await l.forge()
  await l.run('DELETE FROM audit_checkpoints')
  expect(await l.checkpoint()).toBe(false)
  expect(await l.run('SELECT 1 FROM audit_checkpoints')).toEqual([])
  expect(await alarm()).toContain('missing from the database')
  expect(await (await fetch(`${l.w.url}/metrics`)).text()).toContain('gatehouse_audit_alarm 1')
  expect(await first()).toMatchObject({ kind: 'seal', event_id: id })
})

test('without any anchor the seals alone show it, and the service does not sign', async () => {
  await alter()
  await l.forge()
  for (const folder of l.folders) await rm(folder, { recursive: true, force: true })
  expect(await l.checkpoint()).toBe(false)
  expect(await alarm()).toContain('was not sealed by this service')
  expect(await first({ secret_keys: l.w.server.context.config.secret_keys })).toMatchObject({ kind: 'seal' })
})

soak(
  'a history that the service was made to seal again contradicts the anchors, also on another machine',
  async () => {
    await l.checkpoint()
    const elsewhere = await mkdtemp(join(tmpdir(), 'gatehouse-elsewhere-'))
    await copyFile(join(l.folders[1] as string, 'anchor.txt'), join(elsewhere, 'anchor.txt'))
    await alter()
    await l.run('DELETE FROM audit_links')
    await l.run('DELETE FROM audit_heads')
    await l.run('DELETE FROM audit_checkpoints')
    await l.run(
      `UPDATE feed_cursors SET position = '0.0.0', owner = 'x', owned_until = NULL WHERE consumer = 'audit'`,
    )
    await l.sealed()
    expect(await l.checkpoint()).toBe(false)
    expect(await alarm()).toBeDefined()
    const { secret_keys } = l.w.server.context.config
    const public_keys = [deriveAuditKey(secret_keys[0] as Buffer).signing.public_key]
    for (const means of [{ secret_keys }, { public_keys }])
      for (const anchors of [[elsewhere], [join(elsewhere, 'anchor.txt')]])
        expect(await first({ ...means, anchors })).toMatchObject({
          kind: 'checkpoint',
          message: expect.stringContaining('rewritten'),
        })
    await rm(elsewhere, { recursive: true })
  },
)

test('a tail that was cut off and grew again is neither signed nor passed', async () => {
  await l.checkpoint()
  const cut = (await l.events()).at(-1)
  await l.run('DELETE FROM events WHERE id = $1', cut)
  await l.run('DELETE FROM audit_links WHERE event_id = $1', cut)
  await l.run(
    'UPDATE audit_heads h SET number = l.number, hash = l.hash, checkpoint_number = 0 FROM audit_links l WHERE l.number = h.number - 1',
  )
  await l.run('DELETE FROM audit_checkpoints')
  await l.tenant.client.members.create({ name: 'Mallory' })
  await l.sealed()
  expect(await l.checkpoint()).toBe(false)
  expect(await first()).toMatchObject({ kind: 'checkpoint', number: 4 })
})

soak('a backup that was put back is accepted by name, and everything verifies again', async () => {
  await l.checkpoint()
  await l.tenant.client.members.create({ name: 'Lost' })
  await l.sealed()
  await l.checkpoint()
  const lost = (await l.events()).at(-1)
  await l.run('DELETE FROM events WHERE id = $1', lost)
  await l.run('DELETE FROM audit_links WHERE event_id = $1', lost)
  await l.run('DELETE FROM audit_checkpoints WHERE number = 2')
  await l.run(
    'UPDATE audit_heads h SET number = l.number, hash = l.hash, checkpoint_number = l.number FROM audit_links l WHERE l.number = h.number - 1',
  )
  await l.tenant.client.members.create({ name: 'After' })
  await l.sealed()
  expect(await l.checkpoint()).toBe(false)
  expect(await alarm()).toContain('accept-restore')
  const given = await acceptRestore(l.w.server.context, { by: 'Ada', reason: 'the disk failed' })
  expect(given).toHaveLength(1)
  await isCleanAfter()
})

async function isCleanAfter(): Promise<void> {
  await l.checkpoint()
  expect(await alarm()).toBeUndefined()
  for (const folder of l.folders) expect(await readdir(folder)).toHaveLength(4)
  await isClean()
  await l.tenant.client.members.create({})
  await l.sealed()
  expect(await l.checkpoint()).toBe(true)
  await isClean()
}

test('a purge closes the chain with a signature', async () => {
  await l.checkpoint()
  const { organization_id } = l.tenant
  await l.run(
    'INSERT INTO organization_deletions (organization_id, requested_at, due_at) VALUES ($1, $2, $2)',
    organization_id,
    l.w.clock.now(),
  )
  await purgeOrganizations(l.w.server.context)
  expect(await l.run('SELECT 1 FROM audit_links')).toEqual([])
  const purged = [{ organization_id, purged_at: expect.any(String) }]
  expect(await l.verify()).toMatchObject({ purged, breaks: [] })
  expect(await l.checkpoint()).toBe(true)
  expect(await alarm()).toBeUndefined()
  expect(await l.verify()).toMatchObject({ purged, breaks: [] })
  const forged = signDocument(deriveAuditKey(randomBytes(32)).signing, {
    closing: organization_id,
    number: 9,
  })
  await l.run('UPDATE audit_closings SET document = $1', forged)
  expect(await first()).toMatchObject({ kind: 'closing', message: expect.stringContaining('not signed') })
  await l.run('DELETE FROM audit_closings')
  expect(await first()).toMatchObject({ kind: 'cut' })
})

soak('chains from before the seals stay verifiable; what they were is vouched for once', async () => {
  const { config, clock } = l.w.server.context
  const start = async () =>
    (await startServer(config, { clock, jobs: false, delivery: false }))[Symbol.asyncDispose]()
  await l.run('UPDATE audit_links SET seal = NULL')
  await l.run(`UPDATE events SET subject = '{}' WHERE id = $1`, (await l.events())[2])
  await l.run('UPDATE audit_links SET salt = NULL WHERE number = 3')
  await start()
  expect(await l.verify()).toMatchObject({ events: 4, erased: 1, breaks: [] })
  await l.tenant.client.members.create({})
  await l.sealed()
  expect(await l.checkpoint()).toBe(true)
  await isClean()
  await alter()
  await l.run('DELETE FROM audit_receipts')
  await l.run(`UPDATE audit_links SET salt = '\\x00' WHERE salt IS NULL`)
  await l.forge()
  expect(await first()).toMatchObject({ message: expect.stringContaining('rewritten') })
  await l.run('UPDATE audit_links SET seal = NULL')
  await l.run('DELETE FROM audit_origins')
  await start()
  expect(await first()).toMatchObject({ kind: 'seal', number: 1 })
  expect(await l.run('SELECT 1 FROM audit_origins')).toEqual([])
})

test('a rotation of the service key keeps old links and signatures verifiable', async () => {
  await l.checkpoint()
  const { db, config, clock, audit } = l.w.server.context
  const [old] = config.secret_keys
  const fresh = randomBytes(32)
  await claimKeys(db, [old, fresh], clock.now())
  await claimKeys(db, [fresh, old], clock.now())
  await rotateSecrets(db, [fresh, old], () => {})
  await forgetOtherKeys(db, [fresh, old])
  const secret_keys = [fresh] as const
  expect(await l.verify({ secret_keys, anchors: l.folders })).toMatchObject({ events: 4, breaks: [] })
  await l.run(`UPDATE audit_heads SET checkpoint_number = 0`)
  const part = { db, clock, audit, config: { ...config, secret_keys } }
  expect(await writeCheckpoint(part)).toBe(true)
  expect((await l.verify({ secret_keys, anchors: l.folders })).breaks).toEqual([])
  await l.run('DELETE FROM audit_keys')
  expect(await first({ secret_keys })).toMatchObject({
    kind: 'seal',
    message: expect.stringContaining('retired key'),
  })
})

test('a folder that cannot be written keeps no other from its copy', async () => {
  const { config } = l.w.server.context
  const checkpoint_dirs = ['/dev/null/checkpoints', l.folders[0] as string]
  const part = { ...l.w.server.context, config: { ...config, checkpoint_dirs } }
  await expect(writeCheckpoint(part)).rejects.toThrow('ENOTDIR')
  expect(await readdir(l.folders[0] as string)).toEqual(['anchor.txt', 'checkpoint-000000000001.txt'])
})
