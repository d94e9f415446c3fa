import { isDeepStrictEqual } from 'node:util'
import {
  type AnyChanges,
  type AnyEdit,
  type AnyObject,
  type ChangesOf,
  type CreateOf,
  type EditOf,
  invalid,
  mergeMetadata,
  parseCreate,
  parseEdit,
  RequestError,
  type Resource,
  referencesIn,
  resourceOf,
  type SecretsOf,
  type StoredOf,
} from '@gatehouse-access/api'
import { findObject } from '../../store/find.ts'
import { checkReferences } from '../../store/references.ts'
import type { Reach } from '../../store/where.ts'
import { insertObject, updateObject } from '../../store/write.ts'
import { refuseLivingChildren } from './children.ts'
import type { Behaviour, Work } from './context.ts'
import { erased, holdLivingParent } from './credentials.ts'
import { checkPrecondition } from './etag.ts'
import { newValues } from './new-object.ts'
import { takeRoom } from './room.ts'
import { checkTags } from './tags.ts'

export interface Target<R extends Resource = Resource> {
  readonly resource: R
  readonly reach: Reach
}

const none: Behaviour = {}

function behaviourOf({ context }: Work, { kind }: Resource): Behaviour {
  const behaviours: { readonly [kind: string]: Behaviour } = context.behaviours
  return behaviours[kind] ?? none
}

export function notFound(resource: Resource): RequestError {
  return new RequestError('not_found', `there is no ${resource.kind.replaceAll('_', ' ')} with this id`)
}

export async function getObject<R extends Resource>(
  work: Work,
  { resource, reach }: Target<R>,
  id: string,
  lock = false,
): Promise<StoredOf<R>> {
  const row = await findObject(work.db, resource, reach, id, { lock })
  if (!row) throw notFound(resource)
  return row
}

/** Creates an object over HTTP. The parent in the path must exist before the body is read. */
export async function createObject(work: Work, target: Target, readBody: () => unknown): Promise<AnyObject> {
  const { resource, reach } = target
  if (!reach.parent || !resource.parent) return createFrom(work, resource, parseCreate(resource, readBody()))
  const parent = resourceOf(resource.parent)
  await getObject(work, { resource: parent, reach: { ...reach, parent: undefined } }, reach.parent.id)
  return createFrom(work, resource, {
    ...parseCreate(resource, readBody()),
    [reach.parent.field]: reach.parent.id,
  })
}

/** The values that a client may set, and the parent ID from the path. */
type CreatedFrom<R extends Resource> = CreateOf<R> & ChangesOf<R>

/** Creates an object from validated values, with the behavior of its kind. */
export async function createFrom<R extends Resource>(
  work: Work,
  resource: R,
  given: CreatedFrom<R>,
): Promise<StoredOf<R> & SecretsOf<R>>
export async function createFrom(work: Work, resource: Resource, given: AnyChanges): Promise<AnyObject> {
  const behaviour = behaviourOf(work, resource)
  const simple =
    referencesIn(resource, given).length === 0 && !behaviour.beforeCreate && !behaviour.afterCreate
  return simple
    ? store(work, resource, given)
    : work.db.transaction(db => store({ ...work, db }, resource, given))
}

async function store(work: Work, resource: Resource, given: AnyChanges): Promise<AnyObject> {
  const behaviour = behaviourOf(work, resource)
  const values = newValues(work, resource, given)
  if (resource.parent) await holdLivingParent(work, resource.parent, values[`${resource.parent}_id`])
  const same = await behaviour.findSame?.(work, values, given)
  if (same) return same
  const pending = takeRoom(work, resource, values)
  if (pending) await pending
  Object.assign(values, behaviour.settle?.(values, undefined, work.now))
  await checkReferences(work.db, work.caller, referencesIn(resource, given))
  await checkTags(work, resource, given)
  Object.assign(values, await behaviour.beforeCreate?.(work, values, given))
  const row = await insertObject(work, resource, values)
  return Object.assign(row, await behaviour.afterCreate?.(work, row, values))
}

export async function editObject<R extends Resource>(
  work: Work,
  target: Target<R>,
  id: string,
  readBody: () => unknown,
  ifMatch?: string,
): Promise<StoredOf<R>>
export async function editObject(
  work: Work,
  target: Target,
  id: string,
  readBody: () => unknown,
  ifMatch?: string,
): Promise<AnyObject> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const before = await getObject(inner, target, id, true)
    const given = parseEdit(target.resource, readBody())
    checkPrecondition(target.resource, before, ifMatch)
    refuseEditOfDeleted(target.resource, before, given)
    return applyEdit(inner, target.resource, before, given)
  })
}

/** Changes a locked object. Equal values are no change, and without a change there is no event. */
export async function applyEdit<R extends Resource>(
  work: Work,
  resource: R,
  before: StoredOf<R>,
  given: ChangesOf<R> | EditOf<R>,
): Promise<StoredOf<R>>
export async function applyEdit(
  work: Work,
  resource: Resource,
  before: AnyObject,
  given: AnyEdit,
): Promise<AnyObject> {
  const behaviour = behaviourOf(work, resource)
  const changes = differing(before, withMergedMetadata(before, given))
  refuseRestore(resource, changes)
  await checkReferences(work.db, work.caller, referencesIn(resource, changes))
  await checkTags(work, resource, changes, before)
  if (Object.keys(changes).length === 0) return before
  Object.assign(changes, behaviour.settle?.({ ...before, ...changes }, before, work.now))
  Object.assign(changes, await beforeChange(work, resource, before, changes))
  if (Object.keys(changes).length === 0) return before
  const row = await updateObject(
    work,
    resource,
    before,
    changes,
    changes.is_deleted === true ? 'delete' : 'edit',
  )
  await behaviour.afterEdit?.(work, before, row)
  return row
}

async function beforeChange(
  work: Work,
  resource: Resource,
  before: AnyObject,
  changes: AnyChanges,
): Promise<AnyChanges> {
  const behaviour = behaviourOf(work, resource)
  const further: AnyChanges = {}
  if (changes.is_deleted === true) Object.assign(further, await prepareDelete(work, resource, before))
  if (changes.is_deleted === false) {
    await refuseOrphan(work, resource, before)
    await takeRoom(work, resource, before)
    Object.assign(further, await behaviour.beforeRestore?.(work, before, changes))
  }
  return Object.assign(further, await behaviour.beforeEdit?.(work, before, changes))
}

export async function deleteObject<R extends Resource>(
  work: Work,
  target: Target<R>,
  id: string,
  ifMatch?: string,
): Promise<StoredOf<R>>
export async function deleteObject(
  work: Work,
  target: Target,
  id: string,
  ifMatch?: string,
): Promise<AnyObject> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const before = await getObject(inner, target, id, true)
    checkPrecondition(target.resource, before, ifMatch)
    return deleteLocked(inner, target.resource, before)
  })
}

/** Deletes a locked object. Deleting twice returns the same object and writes no second event. */
export async function deleteLocked<R extends Resource>(
  work: Work,
  resource: R,
  before: StoredOf<R>,
): Promise<StoredOf<R>>
export async function deleteLocked(work: Work, resource: Resource, before: AnyObject): Promise<AnyObject> {
  if (before.is_deleted) return before
  const further = await prepareDelete(work, resource, before)
  return updateObject(work, resource, before, { is_deleted: true, ...further }, 'delete')
}

async function prepareDelete(work: Work, resource: Resource, before: AnyObject): Promise<AnyChanges> {
  await refuseLivingChildren(work, resource, before)
  return (await behaviourOf(work, resource).beforeDelete?.(work, before)) ?? {}
}

function withMergedMetadata({ metadata: held = {} }: AnyObject, given: AnyEdit): AnyChanges {
  const { metadata, ...rest } = given
  if (metadata === undefined) return rest
  return { ...rest, metadata: metadata === null ? {} : mergeMetadata(held, metadata) }
}

function differing(before: AnyObject, given: AnyChanges): AnyChanges {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isDeepStrictEqual(before[name], value)),
  )
}

/** Otherwise a client that mirrors its own objects would report success although the door stays closed. */
function refuseEditOfDeleted(resource: Resource, before: AnyObject, given: AnyEdit): void {
  if (typeof before.erased_at === 'string' && given.is_deleted !== true)
    throw erased(resource.kind, before.id)
  const isDeletion = given.is_deleted === true && Object.keys(given).length === 1
  if (!before.is_deleted || given.is_deleted === false || isDeletion) return
  const kind = resource.kind.replaceAll('_', ' ')
  const way =
    resource.restorable === false
      ? 'it cannot be restored; create a new one'
      : 'send "is_deleted": false to restore it, alone or with other changes'
  throw invalid('is_deleted', `the ${kind} ${before.id} is deleted: ${way}`)
}

function refuseRestore(resource: Resource, changes: AnyChanges): void {
  if (changes.is_deleted === false && resource.restorable === false)
    throw invalid(
      'is_deleted',
      `a deleted ${resource.kind.replaceAll('_', ' ')} cannot be restored; create a new one`,
    )
}

/** An object cannot be restored while its site or device is deleted. */
async function refuseOrphan(work: Work, resource: Resource, row: AnyObject): Promise<void> {
  for (const kind of ['site', 'device'] as const) {
    const id = row[`${kind}_id`]
    if (typeof id !== 'string' || resource.kind === kind) continue
    const holder = await findObject(
      work.db,
      resourceOf(kind),
      { organization_id: work.caller.organization_id },
      id,
    )
    if (holder?.is_deleted) throw invalid('is_deleted', `its ${kind} ${id} is deleted; restore that first`)
  }
}
