import {
  type HiddenOf,
  keyOfRow,
  type MemberRow,
  type Resource,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { finishRow, selectList } from '../../../store/columns.ts'
import type { Work } from '../../objects/context.ts'
import type { Foreseen } from '../rows/foreseen.ts'
import { named } from './foreseen-names.ts'

export type Member = StoredOf<Resources['member']>
export type HeldPin = StoredOf<Resources['member_pin'], 'pin_hash'>

/** A member with everything that a row can change. Lists hold what is not deleted. */
export interface Held {
  readonly member: Member
  readonly member_email: readonly StoredOf<Resources['member_email']>[]
  readonly member_group_association: readonly StoredOf<Resources['member_group_association']>[]
  readonly member_card: readonly StoredOf<Resources['member_card']>[]
  readonly member_pin: readonly HeldPin[]
  readonly member_magic_link: readonly StoredOf<Resources['member_magic_link']>[]
}

/** What is held of the rows of a batch, by the line of the row. */
export type HeldByLine = ReadonlyMap<number, Held>

interface Search {
  readonly key: string
  readonly is_dry_run: boolean
  readonly foreseen: Foreseen
}

/**
 * Finds and locks the members that rows name, in a few statements for all of them. Members are locked in the order of
 * their ids, so that two imports of the same rows take turns.
 */
export async function findHeld(work: Work, rows: readonly MemberRow[], search: Search): Promise<HeldByLine> {
  const { is_dry_run } = search
  const ids = await findIds(work, rows, search)
  const members = await lockMembers(work, [...new Set(ids.values())], is_dry_run)
  const isMoved = is_dry_run && (rows.some(row => row.is_deleted) || hasDeleted(members))
  const children = await findChildren(work, [...members.keys()], rows, isMoved)
  const held = new Map<number, Held>()
  for (const [line, id] of ids) {
    const member = members.get(id)
    if (member) held.set(line, { member, ...children(id) })
  }
  return held
}

/** Finds the member of each row by its id, else by the key. Deleted members are found by what they keep: both ids. */
async function findIds(
  work: Work,
  rows: readonly MemberRow[],
  { key, is_dry_run, foreseen }: Search,
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const row of rows) if (row.id !== undefined) found.set(row.line, row.id)
  const wanted = new Map<string, number>()
  for (const row of rows) {
    const value = row.id === undefined ? keyOfRow(row, key) : undefined
    if (value !== undefined && !wanted.has(value)) wanted.set(value, row.line)
  }
  if (wanted.size === 0) return found
  const { text, extra } = statementOf(key, is_dry_run)
  const matches = await work.db.query<Match>(text, [
    work.caller.organization_id,
    [...wanted.keys()],
    ...extra,
  ])
  for (const match of matches) {
    const line = wanted.get(match.value)
    if (line !== undefined && !found.has(line) && !isLost(match, key, foreseen)) found.set(line, match.id)
  }
  return found
}

/** A member with a value of the key, and the email or card that the value is of. */
interface Match {
  readonly value: string
  readonly id: string
  readonly part?: string
  readonly is_deleted?: boolean
}

/** Whether an earlier row of a dry run would have taken the value from the member, or none would have restored it. */
function isLost({ id, part = '', is_deleted = false }: Match, key: string, foreseen: Foreseen): boolean {
  if (key === 'external_id') return foreseen.isFree(named.key(id))
  if (is_deleted ? !foreseen.isTaken(named.member(id)) : foreseen.isFree(named.member(id))) return true
  if (key === 'email') return foreseen.isFree(named.email(part))
  return foreseen.isFree(key === 'card_uid' ? named.card(part) : named.key(id))
}

function hasDeleted(members: ReadonlyMap<string, Member>): boolean {
  return members.values().some(({ is_deleted }) => is_deleted)
}

/** Of several members with the same key, the oldest. A dry run may have restored deleted ones. */
function statementOf(key: string, isDryRun: boolean): { text: string; extra: string[] } {
  const living = isDryRun ? '' : 'AND NOT m.is_deleted'
  if (key === 'external_id')
    return {
      text: 'SELECT external_id AS value, id FROM members WHERE organization_id = $1 AND external_id = ANY($2::text[])',
      extra: [],
    }
  if (key === 'email')
    return {
      text: `SELECT e.email_key AS value, e.member_id AS id, e.id AS part, m.is_deleted FROM member_emails e
        JOIN members m ON m.organization_id = e.organization_id AND m.id = e.member_id ${living}
        WHERE e.organization_id = $1 AND NOT e.is_deleted AND e.email_key = ANY($2::text[]) ORDER BY e.member_id`,
      extra: [],
    }
  if (key === 'card_uid')
    return {
      text: `SELECT c.uid AS value, h.member_id AS id, c.id AS part, m.is_deleted FROM cards c
        JOIN member_cards h ON h.organization_id = c.organization_id AND h.card_id = c.id AND ${isDryRun ? 'NOT h.is_deleted' : 'h.is_claimed'}
        JOIN members m ON m.organization_id = h.organization_id AND m.id = h.member_id ${living}
        WHERE c.organization_id = $1 AND NOT c.is_deleted AND c.uid = ANY($2::text[])`,
      extra: [],
    }
  return {
    text: `SELECT w.value, m.id, m.is_deleted FROM unnest($2::text[]) AS w(value)
      JOIN members m ON m.organization_id = $1 ${living} AND m.metadata @> jsonb_build_object($3::text, w.value) ORDER BY m.id`,
    extra: [key.slice('metadata.'.length)],
  }
}

export async function lockMembers(
  { db, caller }: Work,
  ids: readonly string[],
  isDryRun: boolean,
): Promise<Map<string, Member>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Member>(
    `SELECT ${selectList(resources.member)} FROM members t WHERE t.organization_id = $1 AND t.id = ANY($2::text[])
     ORDER BY t.id${isDryRun ? '' : ' FOR UPDATE'}`,
    [caller.organization_id, ids],
  )
  return new Map(rows.map(finishRow(resources.member)).map(member => [member.id, member]))
}

/** Reads only what the columns of the file speak of. PINs and cards also if members come or go, who have or free them. */
async function findChildren(
  work: Work,
  ids: readonly string[],
  rows: readonly MemberRow[],
  isMoved: boolean,
): Promise<(id: string) => Omit<Held, 'member'>> {
  const isAsked = (ask: (row: MemberRow) => unknown) =>
    ids.length > 0 && rows.some(row => ask(row) !== undefined)
  const emails = isAsked(row => row.emails) ? await living(work, resources.member_email, ids) : none()
  const associations = isAsked(row => row.groups)
    ? await living(work, resources.member_group_association, ids, [], inLivingGroup)
    : none()
  const cards =
    isMoved || isAsked(row => row.card_uids ?? row.card_codes)
      ? await living(work, resources.member_card, ids)
      : none()
  const pins =
    isMoved || isAsked(row => row.pin) ? await living(work, resources.member_pin, ids, ['pin_hash']) : none()
  const links = isAsked(row => row.magic_link) ? await living(work, resources.member_magic_link, ids) : none()
  return id => ({
    member_email: emails.get(id) ?? [],
    member_group_association: associations.get(id) ?? [],
    member_card: cards.get(id) ?? [],
    member_pin: pins.get(id) ?? [],
    member_magic_link: links.get(id) ?? [],
  })
}

function none(): Map<string, never[]> {
  return new Map()
}

/** What a member has in a deleted group gives no access, and comes back with the group. No file names it. */
const inLivingGroup =
  'AND EXISTS (SELECT 1 FROM member_groups g WHERE g.organization_id = t.organization_id AND g.id = t.member_group_id AND NOT g.is_deleted)'

async function living<R extends Resource, Hidden extends HiddenOf<R> & string = never>(
  { db, caller }: Work,
  resource: R,
  ids: readonly string[],
  hidden: readonly Hidden[] = [],
  condition = '',
): Promise<Map<string, StoredOf<R, Hidden>[]>> {
  const columns = [selectList(resource), ...hidden.map(name => `t.${name}`)].join(', ')
  const rows = await db.query<StoredOf<R, Hidden> & { member_id: string }>(
    `SELECT ${columns} FROM ${resource.table} t WHERE t.organization_id = $1 AND t.member_id = ANY($2::text[]) AND NOT t.is_deleted ${condition}
     ORDER BY t.created_at, t.id`,
    [caller.organization_id, ids],
  )
  return Map.groupBy(rows.map(finishRow(resource)), row => row.member_id)
}
