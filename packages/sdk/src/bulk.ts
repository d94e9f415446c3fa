import { type BulkBody, type BulkOperation, type BulkResult, mostOperations } from '@gatehouse-access/api'
import type { Send } from './send.ts'
import type { BulkOptions } from './surface.ts'

/** Bytes of operations in one request. The service reads at most a mebibyte. */
const mostBytes = 900_000

/**
 * Runs operations in order, by as many requests as they need. References to results of earlier requests are
 * replaced by the ids in them.
 */
export function bulkOver(send: Send) {
  return async (operations: readonly BulkOperation[], options: BulkOptions = {}): Promise<BulkResult[]> => {
    const { atomic, idempotency_key, signal } = options
    const results: BulkResult[] = []
    const parts = atomic ? [operations] : divide(operations)
    for (const [at, part] of parts.entries()) {
      const body: BulkBody = {
        operations: replaceKnown(part, results),
        ...(atomic !== undefined && { atomic }),
      }
      const key = idempotency_key && (at === 0 ? idempotency_key : `${idempotency_key}-${at}`)
      const answer = await send({
        method: 'POST',
        path: '/bulk',
        query: {},
        body,
        idempotency_key: key,
        signal,
      })
      results.push(...(answer as { results: BulkResult[] }).results)
    }
    return results
  }
}

/** Divides operations by number and size. */
function divide(operations: readonly BulkOperation[]): BulkOperation[][] {
  const encoder = new TextEncoder()
  const parts: BulkOperation[][] = []
  let bytes = 0
  for (const operation of operations) {
    const size = encoder.encode(JSON.stringify(operation)).length
    const part = parts.at(-1)
    if (!part || part.length === mostOperations || bytes + size > mostBytes) {
      parts.push([operation])
      bytes = size
    } else {
      part.push(operation)
      bytes += size
    }
  }
  return parts
}

/** A reference to an operation that was refused stays, and is refused by the service. */
function replaceKnown(part: readonly BulkOperation[], results: readonly BulkResult[]): BulkOperation[] {
  const ids = new Map<string, string>()
  for (const { id, body } of results)
    if (id && 'id' in body && typeof body.id === 'string') ids.set(`$${id}.id`, body.id)
  if (ids.size === 0) return [...part]
  return part.map(operation => ({
    ...operation,
    path: operation.path.replace(/(?<=\/)\$[\w-]+\.id(?=[/?]|$)/g, found => ids.get(found) ?? found),
    ...(operation.body && { body: replaceIn(operation.body, ids) as object }),
  }))
}

function replaceIn(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map(entry => replaceIn(entry, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, replaceIn(entry, ids)]))
}
