import { type CredentialKind, credentialKinds, type PolicyRows } from '@gatehouse/core'
import type { Database } from '../store/db.ts'

/** Which rows of a kind: all living ones, or those whose column is one of some ids, deleted ones too. */
export type Selection = { readonly column: string; readonly ids: readonly string[] } | undefined

type Select = (db: Database, organizationId: string, selection: Selection) => Promise<object[]>

const selects: { readonly [Kind in keyof PolicyRows]: Select } = {
  sites: select('sites', 'id, timezone, geo, is_deleted'),
  devices: select('devices', 'id, is_deleted'),
  gadgets: select('gadgets', 'id, site_id, device_id, actions, is_deleted'),
  schedules: select('schedules', 'id, weekdays, is_deleted'),
  groups: select('member_groups', 'id, permissions, is_deleted'),
  members: select('members', 'id, starts_at, ends_at, is_deleted'),
  associations: select(
    'member_group_associations',
    'id, member_id, member_group_id, starts_at, ends_at, is_deleted',
  ),
  credentials: selectCredentials,
}

/** The rows of one kind that the engine reads. */
export function selectRows<Kind extends keyof PolicyRows>(
  db: Database,
  organizationId: string,
  kind: Kind,
  selection?: Selection,
): Promise<PolicyRows[Kind]> {
  return selects[kind](db, organizationId, selection) as Promise<unknown> as Promise<PolicyRows[Kind]>
}

function select(table: string, columns: string): Select {
  return (db, organizationId, selection) =>
    selection
      ? db.query(
          `SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND ${selection.column} = ANY($2::text[])`,
          [organizationId, selection.ids],
        )
      : db.query(
          `SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND NOT is_deleted ORDER BY id`,
          [organizationId],
        )
}

/** A member's card counts as deleted also when the card itself is. */
async function selectCredentials(
  db: Database,
  organizationId: string,
  selection: Selection,
): Promise<object[]> {
  const rows = await Promise.all(
    credentialKinds.map(kind => selectCredential(db, organizationId, kind, selection)),
  )
  return rows.flat()
}

function selectCredential(
  db: Database,
  organizationId: string,
  kind: CredentialKind,
  selection: Selection,
): Promise<object[]> {
  if (selection?.column === 'card_id' && kind !== 'card') return Promise.resolve([])
  const dead = kind === 'card' ? '(t.is_deleted OR c.is_deleted)' : 't.is_deleted'
  const join =
    kind === 'card' ? 'JOIN cards c ON c.organization_id = t.organization_id AND c.id = t.card_id' : ''
  const which = selection ? `t.${selection.column} = ANY($2::text[])` : `NOT ${dead}`
  return db.query(
    `SELECT t.id, t.member_id, '${kind}' AS kind, ${dead} AS is_deleted FROM member_${kind}s t ${join}
     WHERE t.organization_id = $1 AND ${which}`,
    selection ? [organizationId, selection.ids] : [organizationId],
  )
}
