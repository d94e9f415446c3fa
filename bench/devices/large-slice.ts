import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeId } from '../../packages/core/src/index.ts'
import { loadSecretKeys, type Pool } from '../../packages/server/src/index.ts'
import { openVault, type Vault } from '../../packages/server/src/vault/vault.ts'
import { edgeArguments, edgeMain } from '../edge/command.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { type Building, build, type Credentials, insert } from './building.ts'

const batch = 5000

/**
 * Measures the time from a controller's first connection until all members of a large organization are on its
 * disk, and the time for one more change.
 */
export async function measureLargeSlice(members = 125_000): Promise<void> {
  await using owned = new AsyncDisposableStack()
  const service = owned.use(await startService())
  const building = await build(service.db, 1)
  const [device] = building.devices as [Credentials]
  await fill(service.db, openVault(loadSecretKeys(service.data_dir)), building, members)
  const before = await service.memory()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))

  const begin = performance.now()
  const edge = startEdge(service, device, folder)
  owned.defer(edge.stop)
  await untilApplied(service.db, 1)
  const seconds = (performance.now() - begin) / 1000
  const size = await sizeOf(folder)

  const changed = performance.now()
  await addMember(service, building)
  await untilApplied(service.db, 2)
  const delta = performance.now() - changed
  printTable(
    `A slice with ${formatCount(members * 2)} credentials, from the service to the disk of a controller`,
    ['', 'figure', 'bound', 'holds'],
    [
      ['until it decides, s', ...judge(seconds, 60, 'at most', 1)],
      ['then one more member, ms', ...judge(delta, 1000, 'at most', 0)],
      ['on the disk, MB', (size / 1e6).toFixed(0), '', ''],
      ['memory of the controller at the most, MB', ...judge(edge.peak(), 150, 'at most', 0)],
      ['memory of the service before, MB', before.toFixed(0), '', ''],
      ['memory of the service after, MB', (await service.memory()).toFixed(0), '', ''],
    ],
  )
}

/** Creates members with a PIN and a card each. */
async function fill(db: Pool, vault: Vault, building: Building, members: number): Promise<void> {
  for (let start = 0; start < members; start += batch) {
    const rows = Array.from({ length: Math.min(batch, members - start) }, (_, index) =>
      personOf(vault, building, start + index),
    )
    for (const table of [
      'members',
      'member_group_associations',
      'cards',
      'member_cards',
      'member_pins',
    ] as const)
      await insert(
        db,
        table,
        rows.map(row => row[table]),
      )
  }
  await db.query('ANALYZE')
}

function personOf(vault: Vault, { tenant, member_group_id }: Building, index: number) {
  const { organization_id } = tenant
  const id = (prefix: string) => makeId(prefix, Date.now(), randomBytes(7))
  const common = { organization_id, is_deleted: false, created_at: new Date().toISOString(), metadata: {} }
  const named = { ...common, search_text: '' }
  const [member_id, card_id, pin_id] = [id('mem'), id('card'), id('mp')]
  const pin = String(10_000_000 + index)
  const uid = (0x04000000 + index).toString(16).toUpperCase().padStart(8, '0')
  const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`
  return {
    members: { ...named, id: member_id, tag_ids: [] },
    member_group_associations: { ...common, id: id('mga'), member_id, member_group_id },
    cards: { ...named, id: card_id, uid },
    member_cards: { ...common, id: id('mc'), member_id, card_id, is_claimed: true },
    member_pins: {
      ...common,
      id: pin_id,
      member_id,
      length: pin.length,
      pin_ciphertext: hex(vault.encrypt(pin, `member_pin ${pin_id}`)),
      pin_hash: hex(vault.digests(pin, `pin ${organization_id}`)[0] as Buffer),
      is_claimed: true,
    },
  }
}

function startEdge({ url }: Service, { hardware_id, secret }: Credentials, folder: string) {
  const args = ['--url', url, '--hardware-id', hardware_id, '--secret', secret, '--data', folder]
  const child = spawn(process.execPath, [...edgeArguments(), edgeMain, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return {
    /** The peak memory in megabytes. */
    peak() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Includes the database's write-ahead log. */
async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder)
  const sizes = await Promise.all(files.map(async name => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function untilApplied(db: Pool, version: number): Promise<void> {
  for (let wait = 0; wait < 12_000; wait++) {
    const rows = await db.query('SELECT 1 FROM device_policies WHERE applied_version >= $1', [version])
    if (rows.length > 0) return
    await sleep(20)
  }
  throw new Error(`version ${version} was not applied`)
}

async function addMember({ url }: Service, { tenant, member_group_id }: Building): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { ...(await tenant.headers()), 'content-type': 'application/json' }
    const answer = await fetch(`${url}/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  const { id } = await post('/members', {})
  await post(`/members/${id}/group_associations`, { member_group_id })
}
