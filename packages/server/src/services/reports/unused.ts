import { mostEntries, mostReported, reportedCredentials, type Unused } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { InputOf } from '../objects/action.ts'
import { requireSite } from './require-site.ts'

/** `GET /organization/unused`: reads a limited number of credentials, the oldest, however many there are. */
export async function showUnused({ work, query }: InputOf<'organization', 'unused'>): Promise<Unused> {
  const { since = work.now, site_id } = query
  if (site_id !== undefined) await requireSite(work, site_id)
  return work.context.reader.read(db =>
    findUnused(db, { organization_id: work.caller.organization_id, since, site_id }),
  )
}

interface Asked {
  readonly organization_id: string
  readonly since: string
  readonly site_id?: string | undefined
}

export async function findUnused(db: Database, { organization_id, since, site_id }: Asked): Promise<Unused> {
  const gadgets = await db.query<Unused['gadgets'][number] & Counted>(
    `SELECT id AS gadget_id, name, site_id, last_action_at AS last_used_at, count(*) OVER ()::integer AS counted
     FROM gadgets WHERE organization_id = $1 AND NOT is_deleted AND created_at < $2 AND (last_action_at IS NULL OR last_action_at < $2)
       AND ($3::text IS NULL OR site_id = $3)
     ORDER BY last_action_at NULLS FIRST, created_at, id LIMIT ${mostEntries}`,
    [organization_id, since, site_id ?? null],
  )
  // An address that nobody ever signed in with is only one that mails go to.
  const credentials = await db.query<Unused['credentials'][number] & Counted & { readonly examined: number }>(
    `WITH given AS MATERIALIZED (${reportedCredentials.map(given).join(' UNION ALL ')})
     SELECT c.kind, c.id, c.member_id, m.name, c.created_at, c.last_used_at, count(*) OVER ()::integer AS counted,
       (SELECT max(n) FROM (SELECT count(*)::integer AS n FROM given GROUP BY kind) k) AS examined
     FROM given c JOIN members m ON m.organization_id = $1 AND m.id = c.member_id AND NOT m.is_deleted
     WHERE c.last_used_at < $2 OR (c.last_used_at IS NULL AND c.kind <> 'member_email')
     ORDER BY c.last_used_at NULLS FIRST, c.created_at, c.id LIMIT ${mostEntries}`,
    [organization_id, since],
  )
  const [first] = credentials
  return {
    since,
    gadgets: gadgets.map(({ counted: _, ...gadget }) => gadget),
    gadget_count: gadgets[0]?.counted ?? 0,
    credentials: credentials.map(({ counted: _, examined: __, ...credential }) => credential),
    credential_count: Math.min(first?.counted ?? 0, mostReported),
    is_cut: (first?.examined ?? 0) >= mostReported,
  }
}

interface Counted {
  readonly counted: number
}

/** The oldest that are in use. */
const given = (kind: (typeof reportedCredentials)[number]) =>
  `(SELECT '${kind}' AS kind, id, member_id, created_at, last_used_at FROM ${kind}s
    WHERE organization_id = $1 AND NOT is_deleted AND created_at < $2 ORDER BY created_at, id LIMIT ${mostReported})`
