import { type CredentialKind, credentialKinds, type PolicyKind } from '@gatehouse/core'
import type { Database, Row } from '../database/db.ts'
import { type Moment, presentMoment } from '../database/moment.ts'

/** Which rows: all living ones in the order of ids, or those whose column is one of some ids, deleted ones too. */
export type Selection = { readonly column: string; readonly ids: readonly string[] } | undefined

interface Source {
  /** `t` is the table that has the ids. */
  readonly columns: string
  readonly from: string
  readonly dead: string
  /** As many rows as are read at once: those with lists of their own may be a hundred kilobytes each. */
  readonly page: number
}

/** Lists come as text: who reads many rows parses them in steps, not all as they arrive (`parseRow`). */
const sources: { readonly [Kind in PolicyKind]: readonly Source[] } = {
  sites: [source('sites', 't.id, t.timezone, t.geo, t.is_deleted')],
  devices: [source('devices', 't.id, t.is_deleted')],
  gadgets: [source('gadgets', 't.id, t.site_id, t.device_id, t.actions::text AS actions, t.is_deleted', 200)],
  schedules: [source('schedules', 't.id, t.weekdays::text AS weekdays, t.is_deleted', 200)],
  groups: [source('member_groups', 't.id, t.permissions::text AS permissions, t.is_deleted', 50)],
  members: [source('members', 't.id, t.starts_at, t.ends_at, t.is_deleted')],
  associations: [
    source(
      'member_group_associations',
      't.id, t.member_id, t.member_group_id, t.starts_at, t.ends_at, t.is_deleted',
    ),
  ],
  credentials: credentialKinds.map(sourceOfCredentials),
}
export const policyKinds = Object.keys(sources) as PolicyKind[]

function source(table: string, columns: string, page = 1000): Source {
  return { columns, from: `${table} t`, dead: 't.is_deleted', page }
}

/** A member's card counts as deleted also when the card itself is. */
function sourceOfCredentials(kind: CredentialKind): Source {
  const isCard = kind === 'card'
  const join = isCard ? ' JOIN cards c ON c.organization_id = t.organization_id AND c.id = t.card_id' : ''
  const dead = isCard ? '(t.is_deleted OR c.is_deleted)' : 't.is_deleted'
  const columns = `t.id, t.member_id, '${kind}' AS kind, ${dead} AS is_deleted`
  return { columns, from: `member_${kind}s t${join}`, dead, page: 1000 }
}

/** The rows of one kind that the engine reads, some at a time, their lists still text. */
export async function* selectRows(
  db: Database,
  organizationId: string,
  kind: PolicyKind,
  selection?: Selection,
): AsyncGenerator<Row[]> {
  for (const source of sources[kind])
    if (!selection) yield* selectLiving(db, organizationId, source)
    else if (selection.column !== 'card_id' || source.from.startsWith('member_cards'))
      yield* selectNamed(db, organizationId, source, selection)
}

/** How many rows there are of what an organization has many of, and the moment that says so. */
export async function countRows(
  db: Database,
  organizationId: string,
  kinds: readonly PolicyKind[],
): Promise<{ moment: Moment; size: Partial<Record<PolicyKind, number>> }> {
  const count = ({ dead, from }: Source) =>
    `(SELECT count(*)::integer FROM ${from} WHERE t.organization_id = $1 AND NOT ${dead})`
  const columns = kinds.map(kind => `${sources[kind].map(count).join(' + ')} AS ${kind}`)
  const rows = await db.query<Moment & object>(`SELECT ${presentMoment}, ${columns.join(', ')}`, [
    organizationId,
  ])
  const { epoch, snapshot, ...size } = rows[0] as Moment
  return { moment: { epoch, snapshot }, size }
}

async function* selectLiving(
  db: Database,
  organizationId: string,
  { columns, dead, from, page }: Source,
): AsyncGenerator<Row[]> {
  for (let after = ''; ; ) {
    const rows = await db.query(
      `SELECT ${columns} FROM ${from} WHERE t.organization_id = $1 AND NOT ${dead} AND t.id > $2 ORDER BY t.id LIMIT ${page}`,
      [organizationId, after],
    )
    if (rows.length > 0) yield rows
    if (rows.length < page) return
    after = rows.at(-1)?.id as string
  }
}

async function* selectNamed(
  db: Database,
  organizationId: string,
  { columns, from, page }: Source,
  { column, ids }: { readonly column: string; readonly ids: readonly string[] },
): AsyncGenerator<Row[]> {
  for (let start = 0; start < ids.length; start += page)
    yield await db.query(
      `SELECT ${columns} FROM ${from} WHERE t.organization_id = $1 AND t.${column} = ANY($2::text[])`,
      [organizationId, ids.slice(start, start + page)],
    )
}

/** A row as the engine reads it. */
export function parseRow(row: Row): never {
  const parsed = { ...row }
  for (const name of ['actions', 'weekdays', 'permissions'])
    if (typeof row[name] === 'string') parsed[name] = JSON.parse(row[name])
  return parsed as never
}
