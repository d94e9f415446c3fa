import { mostOperations } from '@gatehouse-access/api'
import type { BulkOperation, BulkResult, Client } from '@gatehouse-access/sdk'
import { capital } from '../parts/capital.ts'
import { explainFailure } from '../parts/failure.tsx'
import { plainWords } from '../parts/plain-words.ts'

/**
 * Runs operations, a hundred in each request, and says after each how many are done. Returns why each was refused, or
 * undefined. After a request that failed, the rest is refused for the same reason.
 */
export async function runBulk(
  client: Client,
  operations: readonly BulkOperation[],
  onProgress?: (done: number) => void,
): Promise<(string | undefined)[]> {
  const refusals: (string | undefined)[] = []
  while (refusals.length < operations.length) {
    const rest = operations.slice(refusals.length)
    try {
      refusals.push(...(await client.bulk(rest.slice(0, mostOperations))).map(refusalOf))
    } catch (error) {
      refusals.push(...rest.map(() => explainFailure(error).why))
    }
    onProgress?.(refusals.length)
  }
  return refusals
}

function refusalOf({ status, body }: BulkResult): string | undefined {
  if (status < 400) return undefined
  return capital(plainWords('message' in body ? String(body.message) : ''))
}
