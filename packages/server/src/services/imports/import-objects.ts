import { isDeepStrictEqual } from 'node:util'
import {
  type AnyChanges,
  type AnyObject,
  fieldsFor,
  importedKind,
  type Kind,
  mergeMetadata,
  type ObjectImportKind,
  type ObjectRow,
  type Resource,
  type RowProblem,
  readObjectRow,
  resourceOf,
  type SourceRow,
} from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import { findObject } from '../../store/find.ts'
import type { RowOutcome } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { etagOf } from '../objects/etag.ts'
import { applyEdit, createFrom, deleteLocked } from '../objects/objects.ts'

import { findParents, type Parents } from './object-parents.ts'
import { giveBackRooms, noteRooms, withForeseen } from './object-rooms.ts'
import { findTwin } from './object-twins.ts'
import type { Foreseen } from './rows/foreseen.ts'
import type { BatchOptions, RowContext } from './rows/row-context.ts'
import { asProblem, digestsOf, inWordsOf, type RowResult } from './rows/row-result.ts'

/** Imports cards, days or associations, one by one as requests would. The runner takes back what a dry run writes. */
export async function importObjects(
  work: Work,
  kind: ObjectImportKind,
  sources: readonly SourceRow[],
  batch: RowContext & BatchOptions,
): Promise<RowResult[]> {
  const made: AnyObject[] = []
  try {
    const foreseeing = batch.is_dry_run ? withForeseen(work, batch.foreseen) : work
    return await importEach(foreseeing, kind, sources, batch, made)
  } finally {
    if (batch.is_dry_run) giveBackRooms(work, resourceOf(importedKind[kind]), made)
  }
}

async function importEach(
  work: Work,
  kind: ObjectImportKind,
  sources: readonly SourceRow[],
  { reading, survey, digest, is_dry_run, stops, foreseen }: RowContext & BatchOptions,
  made: AnyObject[],
): Promise<RowResult[]> {
  const rows = sources.map(source => readObjectRow(kind, source, reading))
  const parents = await findParents(work, rows)
  const results: RowResult[] = []
  for (const [index, row] of rows.entries()) {
    const source = sources[index] as SourceRow
    const repeat = survey.repeatOf(source)
    const problems = repeat ? [...row.problems, repeat] : row.problems
    const done =
      problems.length > 0
        ? refused(problems)
        : await putObject(work, kind, row, parents, { mode: reading.settings.mode, is_dry_run, foreseen })
    if (done.after && isMade(done)) made.push(done.after)
    const found = resultOf(source, row, done, importedKind[kind], is_dry_run)
    const isRefused = done.outcome === 'failed' && problems.length === 0
    results.push({
      ...found,
      ...(is_dry_run && { etag: isRefused ? digestsOf(namesIn(row), digest) : undefined }),
      ...(is_dry_run && done.outcome === 'created' && { object_id: standIn(done.after, digest) }),
    })
    if (stops && done.outcome === 'failed') break
  }
  return results
}

interface Done {
  readonly outcome: RowOutcome
  readonly problems: readonly RowProblem[]
  readonly before?: AnyObject
  readonly after?: AnyObject
}

/** Whether there is one more than before. */
function isMade({ outcome }: Done): boolean {
  return outcome === 'created' || outcome === 'restored'
}

function refused(problems: readonly RowProblem[]): Done {
  return { outcome: 'failed', problems }
}

async function putObject(
  work: Work,
  kind: ObjectImportKind,
  row: ObjectRow,
  parents: Parents,
  { mode, is_dry_run, foreseen }: PutOptions,
): Promise<Done> {
  const resource: Resource = resourceOf(importedKind[kind])
  const named = parents.of(row)
  if ('problems' in named) return refused(named.problems)
  const column = row.id === undefined ? keyColumns[kind] : 'id'
  const keys = row.id === undefined ? keysOf(kind, { ...row.values, ...named.ids }) : []
  const same = keys.map(key => foreseen.repeatOf(key, column)).find(found => found !== undefined)
  if (same) return refused([same])
  try {
    const reach = { organization_id: work.caller.organization_id }
    const id = row.id ?? (await findTwin(work, importedKind[kind], row, named.ids))
    const found =
      id === undefined ? undefined : await findObject(work.db, resource, reach, id, { lock: true })
    if (row.id !== undefined && !found)
      return refused([{ column: 'id', problem: `There is no such object: ${row.id}` }])
    const isGone = row.id === undefined && found && foreseen.isFree(found.id)
    // It would be in the way, as an earlier batch of the dry run was taken back. Rows that mean it are refused above.
    if (isGone) await deleteLocked(work, resource, found)
    const held = isGone ? undefined : found
    const repeat = held && foreseen.repeatOf(held.id, column)
    if (repeat) return refused([repeat])
    if (held && mode === 'create') return refused([{ column: '', problem: `It exists already: ${held.id}` }])
    const done = held
      ? await changeHeld(work, resource, held, row)
      : await create(work, resource, row, named.ids)
    if (done.problems.length > 0) return done
    for (const key of [...keys, ...keysAfter(kind, done)]) foreseen.note(key, row.line)
    if (done.after && (held || !is_dry_run)) foreseen.note(done.after.id, row.line)
    if (is_dry_run) noteChange(work, kind, done, foreseen)
    return done
  } catch (error) {
    return refused([asProblem(error)])
  }
}

interface PutOptions {
  readonly mode: string
  readonly is_dry_run: boolean
  readonly foreseen: Foreseen
}

const keyColumns = { cards: 'uid', calendar_days: 'starts_on', group_associations: 'group' } as const

/** What rows without an ID find an object by, which no two rows may share. */
function keysOf(kind: ObjectImportKind, values: ObjectRow['values']): string[] {
  if (kind === 'calendar_days')
    return [JSON.stringify([values.calendar_id, values.starts_on, values.name ?? null])]
  if (kind === 'group_associations') return [`${values.member_id} ${values.member_group_id}`]
  const { uid, printed_code } = values
  return [...(uid == null ? [] : [`uid ${uid}`]), ...(printed_code == null ? [] : [`code ${printed_code}`])]
}

/** What later rows find the object by. */
function keysAfter(kind: ObjectImportKind, { after }: Done): string[] {
  return after && !after.is_deleted ? keysOf(kind, after) : []
}

/** Whether later rows no longer find the object by what it had. */
function hasLostKey(kind: ObjectImportKind, before: AnyObject, done: Done): boolean {
  const left = keysAfter(kind, done)
  return keysOf(kind, before).some(key => !left.includes(key))
}

/** Notes what later batches of a dry run find as it was before. */
function noteChange(work: Work, kind: ObjectImportKind, done: Done, foreseen: Foreseen): void {
  const { outcome, before, after } = done
  if (before && hasLostKey(kind, before, done)) foreseen.free(before.id)
  const amount = Number(isMade(done)) - Number(outcome === 'deleted')
  if (after && amount !== 0) noteRooms(work, resourceOf(importedKind[kind]), after, foreseen, amount)
}

async function create(work: Work, resource: Resource, row: ObjectRow, ids: AnyChanges): Promise<Done> {
  if (row.is_deleted === true) return { outcome: 'unchanged', problems: [] }
  const missing = fieldsFor(resource, 'create').find(
    ([name, field]) =>
      field.create === 'required' && row.values[name] === undefined && ids[name] === undefined,
  )
  if (missing)
    return refused([{ column: missing[0], problem: `The cell is empty: ${missing[0]} is required` }])
  const { metadata, ...values } = row.values
  const given: AnyChanges = { ...values, ...ids, ...(metadata && { metadata: mergeMetadata({}, metadata) }) }
  return { outcome: 'created', problems: [], after: await createFrom(work, resource, given) }
}

async function changeHeld(work: Work, resource: Resource, before: AnyObject, row: ObjectRow): Promise<Done> {
  if (row.is_deleted === true) {
    if (before.is_deleted) return { outcome: 'unchanged', problems: [], before, after: before }
    return { outcome: 'deleted', problems: [], before, after: await deleteLocked(work, resource, before) }
  }
  const fixed = Object.entries(row.values).find(
    ([name, value]) =>
      !resource.fields[name]?.edit && value !== undefined && !isDeepStrictEqual(before[name] ?? null, value),
  )
  if (fixed) return refused([{ column: fixed[0], problem: `${fixed[0]} of ${before.id} cannot be changed` }])
  const edit = Object.fromEntries(Object.entries(row.values).filter(([name]) => resource.fields[name]?.edit))
  const after = await applyEdit(work, resource, before, { ...edit, is_deleted: false })
  if (after === before) return { outcome: 'unchanged', problems: [], before, after }
  return { outcome: before.is_deleted ? 'restored' : 'updated', problems: [], before, after }
}

/** What a refused row names: once somebody makes or frees that, it may be accepted. */
function namesIn({ values, named }: ObjectRow): string[] {
  return [values.uid, values.printed_code, named.member].filter(name => typeof name === 'string')
}

/** Stands for an object that a dry run would make: what it will belong to, or what tells that somebody else has made it. */
function standIn(made: AnyChanges = {}, digest: RowContext['digest']): string {
  const parent = made.calendar_id ?? made.member_id
  const keys = [made.uid, made.printed_code].filter(key => typeof key === 'string')
  return typeof parent === 'string' ? parent : keys.map(digest).join(' ')
}

function resultOf(source: SourceRow, row: ObjectRow, done: Done, kind: Kind, isDryRun: boolean): RowResult {
  const { outcome, problems, before, after } = done
  const base = { source, outcome, problems: inWordsOf(source, problems), notices: row.notices }
  if (!after || outcome === 'unchanged') return { ...base, object_id: after?.id }
  const resource: Resource = resourceOf(kind)
  const names = fieldsFor(resource, 'edit').map(([name]) => name)
  const changed = names.filter(name => !isDeepStrictEqual(before?.[name] ?? null, after[name] ?? null))
  const values = (from: AnyChanges) => Object.fromEntries(changed.map(name => [name, from[name] ?? null]))
  const shown = before ? values(after) : after
  const diff: Row = {
    line: row.line,
    outcome,
    object_id: before?.id ?? null,
    before: before ? values(before) : null,
    after: shown,
  }
  return {
    ...base,
    object_id: after.id,
    etag: etagOf(resource, after),
    ...(isDryRun
      ? { diff }
      : { undo: { kind, ...(before ? { before: values(before) } : { is_created: true }) } }),
  }
}
