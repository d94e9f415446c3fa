import type { Client } from '@gatehouse-access/sdk'
import { explainFailure } from '../parts/failure.tsx'
import type { ImportRow } from './import-rows.ts'

export interface Outcome {
  readonly line: number
  readonly member_id?: string
  /** True when a member with this external id already existed. Undo does not delete it. */
  readonly is_update?: boolean
  readonly error?: string
}

const at_once = 4

/** Sends the rows, a few at a time. A rejected row does not stop the others. */
export async function runImport(
  client: Client,
  rows: readonly ImportRow[],
  onProgress: (outcomes: readonly Outcome[]) => void,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  return inTurns(rows, row => importRow(client, row), onProgress, signal)
}

async function importRow(client: Client, { line, body }: ImportRow): Promise<Outcome> {
  try {
    const known = body.external_id
      ? (await client.members.list({ external_id: body.external_id, is_deleted: 'any', limit: 1 })).data
          .length > 0
      : false
    const { id } = await client.grants.create(body)
    return { line, member_id: id, is_update: known }
  } catch (error) {
    return { line, error: explainFailure(error).why }
  }
}

/** Deletes the members that the import added. */
export async function undoImport(
  client: Client,
  outcomes: readonly Outcome[],
  onProgress: (outcomes: readonly Outcome[]) => void,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const added = outcomes.filter(({ member_id, is_update }) => member_id !== undefined && !is_update)
  const undo = async (outcome: Outcome): Promise<Outcome> => {
    try {
      await client.members.delete(outcome.member_id as string)
      return { line: outcome.line }
    } catch (error) {
      return { ...outcome, error: explainFailure(error).why }
    }
  }
  return inTurns(added, undo, onProgress, signal)
}

async function inTurns<T>(
  items: readonly T[],
  act: (item: T) => Promise<Outcome>,
  onProgress: (outcomes: readonly Outcome[]) => void,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const rest = items.values()
  const work = async () => {
    for (const item of rest) {
      if (signal.aborted) return
      outcomes.push(await act(item))
      if (outcomes.length % 10 === 0) onProgress([...outcomes])
    }
  }
  await Promise.all(Array.from({ length: at_once }, work))
  outcomes.sort((a, b) => a.line - b.line)
  onProgress(outcomes)
  return outcomes
}
