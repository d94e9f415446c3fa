import type { Database } from '../../../database/db.ts'
import type { Behaviour } from '../../../services/objects/context.ts'
import type { Exchange } from '../exchange.ts'
import { type BulkRun, finder, type Result } from './bulk-run.ts'
import { type Admitted, perform } from './operation.ts'

export interface InOrder {
  /** The results of earlier operations. */
  readonly held?: readonly Result[]
  /** How many operations may be sent to the database before the first of them is answered. */
  readonly at_once?: number
  readonly onPinLookup: Exchange['onPinLookup']
  /** Returns whether to begin further operations, or throws. */
  mayBegin(next: readonly Admitted[], results: readonly Result[]): boolean
}

/** Performs operations in one transaction. Throws if one of them is refused. */
export async function performInOrder(
  run: BulkRun,
  db: Database,
  batch: readonly Admitted[],
  { held = [], at_once = 1, onPinLookup, mayBegin }: InOrder,
): Promise<Result[]> {
  const results = [...held]
  for (let at = 0; at < batch.length; ) {
    const group = groupAt(run, batch, at, at_once)
    if (!mayBegin(group, results)) break
    const find = finder(run, results)
    const settled = await Promise.allSettled(group.map(one => perform(one, find, db, onPinLookup)))
    for (const outcome of settled) {
      if (outcome.status === 'rejected') throw outcome.reason
      results.push(outcome.value)
    }
    at += group.length
  }
  return results.slice(held.length)
}

/** Returns the next operation, with those after it that do the same and need not wait for it. */
function groupAt(run: BulkRun, batch: readonly Admitted[], at: number, most: number): readonly Admitted[] {
  const { endpoint } = batch[at]?.operation ?? {}
  let end = at + 1
  if (endpoint && onlyStores(run, endpoint))
    while (end < at + most && batch[end]?.operation.endpoint === endpoint && isIndependent(batch[end]))
      end += 1
  return batch.slice(at, end)
}

function isIndependent(one: Admitted | undefined): boolean {
  return one?.operation.references.names.size === 0
}

/**
 * Whether an operation stores a row and does nothing else, so that it does not matter in which order the
 * statements of several arrive.
 */
function onlyStores({ service }: BulkRun, { verb, resource }: Admitted['operation']['endpoint']): boolean {
  const behaviours: { readonly [kind: string]: Behaviour } = service.context.behaviours
  const { beforeCreate, afterCreate } = behaviours[resource.kind] ?? {}
  return verb === 'create' && !beforeCreate && !afterCreate
}
