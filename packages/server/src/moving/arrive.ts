import { RequestError, type ResourceKind, resources } from '@gatehouse-access/api'
import type { AuditKey } from '../audit/keys.ts'
import { storeOrigin } from '../audit/origins.ts'
import type { Head } from '../audit/seal.ts'
import { isQuotaName, type QuotaLimits, type QuotaName } from '../config/quotas.ts'
import type { Database } from '../database/db.ts'
import type { Session } from '../database/session.ts'
import { databaseOf } from '../database/session-database.ts'
import type { Clock } from '../flow/clock.ts'
import { serviceCaller } from '../store/caller.ts'
import { Quotas } from '../store/counts/quotas.ts'
import { logEvents } from '../store/event-log.ts'
import { type Noted, noteBeginnings } from '../telling/note-alarms.ts'
import type { About } from './about.ts'
import { forgetImport } from './discard.ts'
import { copyPart, requireRows } from './load.ts'
import { type ArrivedApplication, type ArrivedUser, addApplications, addUsers } from './people.ts'
import { late } from './tables.ts'

/** What became of those who have to do with the organization. */
export interface Arrived {
  readonly users: readonly ArrivedUser[]
  readonly applications: readonly ArrivedApplication[]
  /** Kinds of which the organization has more than this installation allows: none can be added. */
  readonly over_quota: readonly string[]
}

interface Arriving {
  readonly about: About
  readonly key: AuditKey
  readonly head: Head | undefined
  /** The rows that are stored in the last transaction, by table. */
  readonly late: ReadonlyMap<string, Buffer>
  readonly clock: Clock
  readonly quotas: QuotaLimits
}

/** Creates the organization, with everything by which it is reached, in one transaction. */
export async function arrive(session: Session, arriving: Arriving): Promise<Arrived> {
  const { about, clock, quotas } = arriving
  const over_quota = await findOverQuota(databaseOf(session), about.organization.id, quotas, clock)
  return databaseOf(session).transaction(async db => {
    const now = clock.now()
    await copyLate(session, arriving, 'organizations')
    const applications = await addApplications(db, about)
    for (const name of late.slice(1)) await copyLate(session, arriving, name)
    await openLanes(db, about.organization.id)
    await noteAlarms(db, about.organization.id, now)
    const users = await addUsers(db, about, now)
    await vouch(db, arriving)
    await tell(db, about.organization.id, now)
    await forgetImport(db, about.organization.id)
    return { users, applications, over_quota }
  })
}

async function copyLate(session: Session, { about, late }: Arriving, name: string): Promise<void> {
  const table = about.tables.find(one => one.name === name)
  const rows = late.get(name)
  if (!table || !rows) return
  const loading = { session, organization_id: about.organization.id, table }
  requireRows(loading, rows.length === 0 ? 0 : await copyPart(loading, rows))
}

/** The webhooks are off. Once they are on, they get what happens from now on. */
async function openLanes(db: Database, organization_id: string): Promise<void> {
  await db.query(
    'INSERT INTO webhook_lanes (organization_id, webhook_id) SELECT organization_id, id FROM webhooks WHERE organization_id = $1',
    [organization_id],
  )
}

/** Alarms in one statement. */
const batch = 1000

/** What is on and nobody has taken is told from here: the source may have waited for a delay or a schedule. */
async function noteAlarms(db: Database, organization_id: string, now: string): Promise<void> {
  let after = ''
  for (let count = batch; count === batch; ) {
    const alarms = await db.query<Noted>(
      `SELECT id, type, is_over, last_occurred_at, alarm_rule_ids FROM alarms
       WHERE organization_id = $1 AND id > $2 AND state = 'open' AND NOT is_over ORDER BY id LIMIT ${batch}`,
      [organization_id, after],
    )
    await noteBeginnings(db, organization_id, alarms, now)
    after = alarms.at(-1)?.id ?? ''
    count = alarms.length
  }
}

/** Signs that the chain was verified up to its head, from where this installation goes on. */
async function vouch(db: Database, { about, key, head }: Arriving): Promise<void> {
  if (!head) return
  const { number, hash } = head
  const organization_id = about.organization.id
  await storeOrigin(db, key, { organization_id, number, hash })
  await db.query('INSERT INTO audit_heads (organization_id, number, hash) VALUES ($1, $2, $3)', [
    organization_id,
    number,
    hash,
  ])
}

/** The next link of the chain states the import. */
async function tell(db: Database, organization_id: string, recorded_at: string): Promise<void> {
  const object = { type: 'organization' as const, organization_id, reason: 'imported' }
  const subject = serviceCaller(organization_id).subject()
  await logEvents(db, [{ organization_id, subject, verb: 'edit', object, recorded_at }])
}

async function findOverQuota(
  db: Database,
  organization_id: string,
  limits: QuotaLimits,
  clock: Clock,
): Promise<string[]> {
  const quotas = new Quotas(limits, clock)
  const over: string[] = []
  for (const kind of Object.keys(resources) as ResourceKind[])
    if (isQuotaName(kind) && !(await hasRoom(quotas, db, kind, organization_id))) over.push(kind)
  return over
}

async function hasRoom(quotas: Quotas, db: Database, name: QuotaName, id: string): Promise<boolean> {
  try {
    await quotas.take(db, name, [id], 0)
    return true
  } catch (error) {
    if (error instanceof RequestError) return false
    throw error
  }
}
