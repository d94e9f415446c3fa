import {
  type ListQuery,
  parseListQuery,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { writeCursor } from '../../store/cursor.ts'
import { findObject } from '../../store/find.ts'
import { countObjects, listObjects } from '../../store/list.ts'
import type { Work } from '../objects/context.ts'
import { findAsked } from '../objects/find-asked.ts'

export type Member = StoredOf<Resources['member']>

/** Which members a bulk edit is about: those that match, or those that are named. */
export interface Selection {
  readonly filter?: Readonly<Record<string, string>> | undefined
  readonly ids?: readonly string[] | undefined
}

/** A selected member, if there still is one, and the place behind it. */
interface Selected {
  readonly member: Member | undefined
  readonly behind: string
}

const inOneRead = 100
/** New members come last, and no edit moves anybody. */
const sort = { field: 'created_at', direction: 'asc' } as const

/** Throws like the list if a filter is unknown or has a wrong value. */
export function queryOf(filter: Readonly<Record<string, string>> = {}): ListQuery {
  return { ...parseListQuery(resources.member, filter), sort, limit: inOneRead, expand: {} }
}

type Reading = Pick<Work, 'db' | 'context'>

/** Returns how many are selected, or `most` if there are as many or more. */
export async function countSelected(
  { db, context }: Reading,
  organization_id: string,
  { filter, ids }: Selection,
  most: number,
): Promise<number> {
  if (ids) return ids.length
  const reach = { organization_id }
  return countObjects(db, resources.member, reach, await findAsked(db, context, reach, queryOf(filter)), most)
}

/** Returns the next members behind a place, without those who were created later than `until`. */
export async function selectNext(
  { db, context }: Reading,
  organization_id: string,
  { filter, ids }: Selection,
  behind: string | undefined,
  until: string,
): Promise<{ selected: Selected[]; is_last: boolean }> {
  const reach = { organization_id }
  if (ids) return selectNamed(db, organization_id, ids, Number(behind ?? 0))
  const query = { ...(await findAsked(db, context, reach, queryOf(filter))), cursor: behind }
  const { data, has_next } = await listObjects(db, resources.member, reach, query)
  const members = data.filter(({ created_at }) => created_at <= until)
  const selected = members.map(member => {
    const position = { value: member.created_at, id: member.id }
    return { member, behind: writeCursor(resources.member, reach, query, position) }
  })
  return { selected, is_last: !has_next || members.length < data.length }
}

async function selectNamed(db: Database, organization_id: string, ids: readonly string[], from: number) {
  const named = ids.slice(from, from + inOneRead)
  const selected = await Promise.all(
    named.map(async (id, at) => ({
      member: await findObject(db, resources.member, { organization_id }, id),
      behind: String(from + at + 1),
    })),
  )
  return { selected, is_last: from + named.length >= ids.length }
}
