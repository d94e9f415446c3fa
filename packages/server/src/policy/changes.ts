import { companionOf } from '@gatehouse-access/api'
import { type Policy, type Steps, settleSteps } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import type { Moment } from '../database/moment.ts'
import { changesSince } from './changes-since.ts'
import { putRows } from './load.ts'
import { type Batch, selectNamed } from './rows.ts'
import { allSources, type Source } from './sources.ts'

const ofMembers: readonly string[] = ['groups', 'members', 'associations', 'credentials']

/** With more changes than this, compiling the policy again is cheaper. */
export const mostChanges = 20_000

/** An object that has changed since a moment. */
export interface Changed {
  readonly type: string
  readonly id: string
}

/**
 * Returns what a policy as of a moment lacks. In another epoch, `changed` is undefined: what the policy was
 * built from may no longer exist. Likewise after a tag was deleted or restored: its gadgets have no events of that.
 */
export async function findChanges(
  db: Database,
  organizationId: string,
  since: Moment,
  { types }: Part,
): Promise<{ moment: Moment; changed: Changed[] | undefined }> {
  const { moment, changes } = await changesSince(db, {
    organizations: [organizationId],
    since,
    types: [...types, 'tag'],
    quiet_at_birth: ['tag'],
    limit: mostChanges,
  })
  const isReadable = moment.epoch === since.epoch && !changes.some(({ type }) => type === 'tag')
  const changed = changes.flatMap(({ type, id }) => (id === null ? [] : [{ type, id }]))
  return { moment, changed: isReadable ? changed : undefined }
}

interface Reread {
  readonly source: Source
  readonly column: string
}

/**
 * The rows to reread for a changed object: its own, and those that exist only with it. A restored member
 * brings back rows that were not loaded while it was deleted.
 */
const readAgain: ReadonlyMap<string, readonly Reread[]> = Map.groupBy(
  allSources.flatMap(rereadsOf),
  ({ type }) => type,
)

/** What a policy is of: everything, or the places alone. */
export interface Part {
  readonly sources: readonly Source[]
  /** The types of objects whose changes concern it. */
  readonly types: readonly string[]
}

export const everything = partOf(allSources)
/** Enough for the modes of doors, however many members there are. */
export const placesAlone = partOf(allSources.filter(({ name }) => !ofMembers.includes(name)))

function partOf(sources: readonly Source[]): Part {
  return { sources, types: [...new Set(sources.flatMap(rereadsOf).map(({ type }) => type))] }
}

function rereadsOf(source: Source): (Reread & { type: string })[] {
  const { kind, parent } = source.resource
  const companion = companionOf(source.resource)
  return [
    { type: kind, source, column: 'id' },
    ...(parent ? [{ type: parent, source, column: `${parent}_id` }] : []),
    ...(companion ? [{ type: companion.kind, source, column: companion.field }] : []),
  ]
}

/** The current rows of what has changed, all as of one moment. */
type Delta = readonly Batch[]

export async function readDelta(
  db: Database,
  organizationId: string,
  changed: readonly Changed[],
  { sources }: Part,
): Promise<Delta> {
  const delta: Batch[] = []
  for (const [type, group] of Map.groupBy(changed, ({ type }) => type)) {
    const ids = [...new Set(group.map(({ id }) => id))]
    const again = readAgain.get(type)?.filter(({ source }) => sources.includes(source)) ?? []
    for (const { source, column } of again)
      for await (const batch of selectNamed(db, organizationId, source, column, ids)) delta.push(batch)
  }
  return delta
}

/** Nobody may read the policy until the last step is done, so that no decision sees half of a change. */
export function* applyDelta(policy: Policy, delta: Delta): Steps<void> {
  for (const batch of delta) yield* putRows(policy, batch)
  yield* settleSteps(policy)
}
