import {
  type BulkChange,
  type BulkEditBody,
  type bulkEditParts,
  invalid,
  type Reference,
  RequestError,
  type Resource,
  resources,
} from '@gatehouse-access/api'
import { checkReferences } from '../../store/references.ts'
import { createJob } from '../jobs/create-job.ts'
import type { Job } from '../jobs/job-type.ts'
import type { ActionInput } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { checkTags } from '../objects/tags.ts'
import { countSelected, queryOf } from './select-members.ts'

type Input = ActionInput<Resource, { body: typeof bulkEditParts }>
type BulkEditInput = Pick<Input, 'work' | 'readBody'> & { readonly query: { readonly dry_run?: unknown } }

/** `POST /bulk/edit`: queues the job, if as many are concerned as the caller has seen. */
export async function createBulkEdit({ work, readBody, query }: BulkEditInput): Promise<Job> {
  const body = readBody()
  const is_dry_run = body.dry_run === true || query.dry_run === true
  checkSelection(body)
  checkChange(body.change)
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    await checkMentioned(inner, body.change)
    await checkNamed(inner, body)
    if (!is_dry_run) await checkCount(inner, body)
    const { filter, ids, change, expected_count } = body
    return createJob(inner, { type: 'bulk', settings: { filter, ids, change, expected_count }, is_dry_run })
  })
}

function checkSelection({ filter, ids }: BulkEditBody): void {
  if ((filter === undefined) === (ids === undefined))
    throw invalid('filter', 'give filter or ids, and not both; an empty filter means all')
  const paged = ['cursor', 'limit', 'sort', 'expand'].find(name => name in (filter ?? {}))
  if (paged) throw invalid(`filter.${paged}`, `${paged} is no filter: all that match are changed`)
  if (filter) queryOf(filter)
}

function checkChange(change: BulkChange): void {
  const names = Object.keys(change)
  if (names.length === 0) throw invalid('change', 'change is empty: say what to change')
  if (change.is_deleted === false)
    throw invalid('change.is_deleted', 'change.is_deleted must be true: members are restored one by one')
  if (change.is_deleted && names.length > 1)
    throw invalid('change.is_deleted', 'is_deleted cannot be combined with other changes')
  refuseBoth(change, 'tag_ids')
  refuseBoth(change, 'member_group_ids')
}

function refuseBoth(change: BulkChange, name: 'tag_ids' | 'member_group_ids'): void {
  const removed = change[`remove_${name}`] ?? []
  const both = change[`add_${name}`]?.find(id => removed.includes(id))
  if (both) throw invalid(`change.add_${name}`, `${both} is both added and removed`)
}

/** Throws unless all tags and groups of a change exist. They stay while the transaction lasts. */
export async function checkMentioned(work: Work, change: BulkChange): Promise<void> {
  const mentioned = (kind: 'tag' | 'member_group', name: keyof BulkChange): Reference[] => {
    const ids = change[name]
    return Array.isArray(ids) ? ids.map((id, at) => ({ kind, id, field: `change.${name}.${at}` })) : []
  }
  await checkReferences(work.db, work.caller, [
    ...mentioned('tag', 'add_tag_ids'),
    ...mentioned('tag', 'remove_tag_ids'),
    ...mentioned('member_group', 'add_member_group_ids'),
    ...mentioned('member_group', 'remove_member_group_ids'),
  ])
  await checkTags(work, resources.member, { tag_ids: change.add_tag_ids ?? [] })
}

async function checkNamed({ db, caller }: Work, { ids = [] }: BulkEditBody): Promise<void> {
  const references = ids.map((id, at) => ({ kind: 'member', id, field: `ids.${at}` }) as const)
  await checkReferences(db, caller, references)
}

/** Nobody changes everything by a forgotten filter. */
async function checkCount(work: Work, body: BulkEditBody): Promise<void> {
  const { expected_count } = body
  if (expected_count === undefined)
    throw invalid('expected_count', 'expected_count is required: the number that a dry run has counted')
  const count = await countSelected(work, work.caller.organization_id, body, expected_count + 1)
  if (count !== expected_count) throw otherCount(expected_count, count)
}

export function otherCount(expected: number, count: number): RequestError {
  const found = count > expected ? `more than ${expected}` : String(count)
  return new RequestError(
    'precondition_failed',
    `${found} members match, not ${expected}; make another dry run, and look at what it says`,
    { args: { field: 'expected_count', expected_count: String(expected) } },
  )
}
