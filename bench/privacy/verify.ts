import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addSeconds } from '@gatehouse-access/core'
import { pino } from 'pino'
import { amendEvents } from '../../packages/server/src/audit/amendments/amend.ts'
import { closeAct, receiptOf } from '../../packages/server/src/audit/amendments/amendment.ts'
import { unlinkEvent } from '../../packages/server/src/audit/amendments/unlink.ts'
import { deriveAuditKey } from '../../packages/server/src/audit/keys.ts'
import { type Head, linkEvents } from '../../packages/server/src/audit/seal.ts'
import { readEvents } from '../../packages/server/src/audit/verify/chain.ts'
import {
  connect,
  createOrganization,
  findConnection,
  migrate,
  type Pool,
  startEmbedded,
  systemClock,
  verifyAudit,
} from '../../packages/server/src/index.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { formatCount, judge, median, printTable } from '../figures.ts'

const secret = Buffer.alloc(32, 7)
const key = deriveAuditKey(secret)
const batch = 5000
/** One event in so many loses its person. */
const share = 100
/** What takes minutes is measured once. */
const roundsOf = (events: number) => (events < 5_000_000 ? 3 : 1)

/** Verifies the chain of an organization before and after an act has amended a hundredth of its events. No service runs beside it. */
export async function measureVerify(events: number): Promise<void> {
  await using owned = new AsyncDisposableStack()
  const data_dir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  owned.defer(() => rm(data_dir, { recursive: true, force: true, maxRetries: 5 }))
  owned.use(await startEmbedded({ data_dir, log: pino({ level: 'silent' }) }))
  const db = owned.use(connect(findConnection(data_dir)))
  await migrate(db, systemClock.now())
  const context = { clock: systemClock, config: { whitelabel_default: true } as never }
  const organization_id = await createOrganization(context, db, 'Verify')
  const due = await fill(db, organization_id, events)
  await db.query('VACUUM ANALYZE', [], { prepare: false })
  const rounds = roundsOf(events)
  // What is read first comes from the disk.
  await verifyOften(db, 1)
  const whole = await verifyOften(db, rounds)
  await amend(db, organization_id, due)
  await db.query('VACUUM ANALYZE', [], { prepare: false })
  const amended = await verifyOften(db, rounds)
  printTable(
    `Verifying ${formatCount(events)} events, median of ${rounds}`,
    ['', 'value', 'bound', 'holds'],
    [['with 1 % amended, times without', ...judge(amended / whole, 1.15, 'at most')]],
  )
  console.log(`verified in ${whole.toFixed(1)} s, with amendments in ${amended.toFixed(1)} s`)
}

/** Returns the events that are to lose their person. */
async function fill(db: Pool, organization_id: string, count: number): Promise<string[]> {
  const now = systemClock.now()
  const due: string[] = []
  let [head, after] = [undefined as Head | undefined, '0.0.0']
  for (let done = 0; done < count; done += batch) {
    await db.transaction(inner => logEvents(inner, draftsOf(organization_id, addSeconds(now, done - count))))
    const events = await readEvents(db, organization_id, after, 2 * batch)
    head = await linkEvents(
      db,
      key,
      organization_id,
      head,
      events.map(event => ({ event })),
    )
    after = events.at(-1)?.position ?? after
    due.push(...events.filter((_, index) => index % share === 0).map(({ id }) => id))
    if (done % 500_000 === 0) console.log(`  events: ${formatCount(done)}`)
  }
  await db.query('INSERT INTO audit_heads (organization_id, number, hash) VALUES ($1, $2, $3)', [
    organization_id,
    head?.number,
    head?.hash,
  ])
  return due
}

function draftsOf(organization_id: string, from: string) {
  return Array.from({ length: batch }, (_, index) => {
    const recorded_at = addSeconds(from, index)
    const member_id = `mem_${String(index % 100).padStart(20, '0')}`
    const gadget_id = `gad_${String(index % 50).padStart(20, '0')}`
    return {
      organization_id,
      subject: { member_id, access_method: 'pin' as const },
      verb: 'use' as const,
      object: { type: 'gadget_action' as const, gadget_id, gadget_action_id: 'open' },
      recorded_at,
    }
  })
}

async function amend(db: Pool, organization_id: string, ids: readonly string[]): Promise<void> {
  const act = { organization_id, act: 'ers_bench' }
  for (let done = 0; done < ids.length; done += batch / 10)
    await db.transaction(inner =>
      amendEvents(inner, { key, act }, ids.slice(done, done + batch / 10), event => unlinkEvent(event)),
    )
  const object = { type: 'erasure', receipt_hash: (await receiptOf(db, act)) ?? '' } as const
  const drafts = [
    { organization_id, subject: {}, verb: 'edit', object, recorded_at: systemClock.now() } as const,
  ]
  const [event_id = ''] = await db.transaction(inner => logEvents(inner, drafts))
  await closeAct(db, act, event_id)
  const [last] = await db.query<{ number: string; hash: Buffer }>(
    'SELECT number, hash FROM audit_heads WHERE organization_id = $1',
    [organization_id],
  )
  const [event] = await readLast(db, organization_id)
  if (!last || !event) throw new Error('there is no chain')
  const head = { number: Number(last.number), hash: Buffer.from(last.hash) }
  const next = await linkEvents(db, key, organization_id, head, [{ event }])
  await db.query('UPDATE audit_heads SET number = $2, hash = $3 WHERE organization_id = $1', [
    organization_id,
    next?.number,
    next?.hash,
  ])
}

async function readLast(db: Pool, organization_id: string) {
  const [place] = await db.query<{ position: string }>(
    `SELECT epoch || '.' || transaction_id || '.' || sequence AS position FROM events WHERE organization_id = $1
     ORDER BY epoch DESC, transaction_id DESC, sequence DESC OFFSET 1 LIMIT 1`,
    [organization_id],
  )
  return readEvents(db, organization_id, place?.position ?? '0.0.0', 1)
}

async function verifyOften(db: Pool, rounds: number): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    const { breaks } = await verifyAudit(db, { secret_keys: [secret], anchors: [] })
    if (breaks.length > 0) throw new Error(breaks[0]?.message)
    took.push((performance.now() - begun) / 1000)
  }
  return median(took)
}
