import type { MemberRow } from '@gatehouse-access/api'
import type { Work } from '../../objects/context.ts'
import { digestOfKey } from '../rows/key-digest.ts'

/** What a dry run has told of the PIN of a row, which its start tells again: that it is taken, or not. */
export type Lookup = 'refused' | 'free'
/** By line and hash of the PIN. */
export type FindLookup = (line: number, hash: string) => Lookup | undefined

/** Finds what the dry run has looked up. PINs of other rows are looked up as if there had been none. */
export async function findLookups(
  { db, caller, context }: Work,
  rows: readonly MemberRow[],
  dryRunId: string | undefined,
): Promise<FindLookup> {
  const lines = rows.filter(row => row.pin?.pin !== undefined).map(({ line }) => line)
  if (dryRunId === undefined || lines.length === 0) return () => undefined
  const found = await db.query<{ number: number; outcome: string; etag: string | null }>(
    'SELECT number, outcome, etag FROM job_rows WHERE organization_id = $1 AND job_id = $2 AND number = ANY($3::text[]::integer[])',
    [caller.organization_id, dryRunId, lines.map(String)],
  )
  const told = new Map(found.map(row => [row.number, row]))
  return (line, hash) => {
    const { outcome, etag } = told.get(line) ?? {}
    if (!etag?.split(' ').includes(digestOfKey(context, dryRunId, hash))) return undefined
    return outcome === 'failed' ? 'refused' : 'free'
  }
}
