import type { Database } from '../../database/db.ts'
import { asRead } from '../../database/postgres/query.ts'
import { present } from '../../flow/present.ts'
import type { OwnKey } from '../../vault/vault.ts'
import type { FilePart, JobRow, RowOutcome } from './job-type.ts'

/** Whose data it is, and the key that it is encrypted with. */
export interface DataOf {
  readonly organization_id: string
  readonly job_id: string
  readonly key: OwnKey
}

/** Each piece is bound to its place, so that none can be exchanged for another. */
const sealedIn = {
  row: ({ job_id }: DataOf, number: number) => `row ${job_id} ${number}`,
  input: ({ job_id }: DataOf, number: number) => `input ${job_id} ${number}`,
  file: ({ job_id }: DataOf, name: string, number: number) => `file ${job_id} ${name} ${number}`,
}

/** Bytes in a chunk of an input or a file, at most. */
export const chunkSize = 256 * 1024

/** Rows that are encrypted without a pause: some milliseconds. */
const sealedAtOnce = 500

export async function storeRows(db: Database, of: DataOf, rows: readonly JobRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += sealedAtOnce)
    await storePiece(db, of, rows.slice(start, start + sealedAtOnce))
}

async function storePiece(db: Database, of: DataOf, rows: readonly JobRow[]): Promise<void> {
  const seal = ({ number, detail }: JobRow) =>
    detail === undefined
      ? null
      : of.key.seal(Buffer.from(JSON.stringify(detail)), sealedIn.row(of, number)).toString('hex')
  await db.query(
    `INSERT INTO job_rows (organization_id, job_id, number, outcome, object_id, etag, detail_ciphertext)
     SELECT $1, $2, number, outcome, object_id, etag, decode(detail, 'hex')
     FROM unnest($3::text[]::integer[], $4::text[], $5::text[], $6::text[], $7::text[]) AS r(number, outcome, object_id, etag, detail)`,
    [
      of.organization_id,
      of.job_id,
      rows.map(({ number }) => String(number)),
      rows.map(({ outcome }) => outcome),
      rows.map(({ object_id }) => object_id ?? null),
      rows.map(({ etag }) => etag ?? null),
      rows.map(seal),
    ],
  )
}

interface StoredRow {
  readonly number: number
  readonly outcome: RowOutcome
  readonly object_id: string | null
  readonly etag: string | null
  readonly detail_ciphertext: Buffer | null
}

/** Returns the rows after a number, in their order. */
export async function readRows(db: Database, of: DataOf, after: number, limit: number): Promise<JobRow[]> {
  const rows = await db.query<StoredRow>(
    `SELECT number, outcome, object_id, etag, detail_ciphertext FROM job_rows
     WHERE organization_id = $1 AND job_id = $2 AND number > $3 ORDER BY number LIMIT $4`,
    [of.organization_id, of.job_id, after, limit],
    asRead,
  )
  return openRows(of, rows)
}

/** Returns the rows before a number, the last ones first: what is set back is set back in the reverse order. */
export async function readRowsBefore(
  db: Database,
  of: DataOf,
  before: number,
  limit: number,
): Promise<JobRow[]> {
  const rows = await db.query<StoredRow>(
    `SELECT number, outcome, object_id, etag, detail_ciphertext FROM job_rows
     WHERE organization_id = $1 AND job_id = $2 AND number < $3 ORDER BY number DESC LIMIT $4`,
    [of.organization_id, of.job_id, before, limit],
    asRead,
  )
  return openRows(of, rows)
}

function openRows(of: DataOf, rows: readonly StoredRow[]): JobRow[] {
  return rows.map(({ number, outcome, object_id, etag, detail_ciphertext }) => ({
    number,
    outcome,
    object_id: object_id ?? undefined,
    etag: etag ?? undefined,
    detail:
      detail_ciphertext === null
        ? undefined
        : JSON.parse(of.key.open(detail_ciphertext, sealedIn.row(of, number)).toString()),
  }))
}

/** Stores a chunk of an input. They count from 0. */
export async function storeInput(
  db: Database,
  of: DataOf,
  number: number,
  bytes: Uint8Array,
  now: string,
): Promise<void> {
  await db.query(
    'INSERT INTO job_inputs (organization_id, job_id, number, ciphertext, created_at) VALUES ($1, $2, $3, $4, $5)',
    [of.organization_id, of.job_id, number, of.key.seal(bytes, sealedIn.input(of, number)), now],
  )
}

/** Returns a chunk of an input, or undefined behind its end. */
export async function readInput(db: Database, of: DataOf, number: number): Promise<Buffer | undefined> {
  const [row] = await db.query<{ ciphertext: Buffer }>(
    'SELECT ciphertext FROM job_inputs WHERE organization_id = $1 AND job_id = $2 AND number = $3',
    [of.organization_id, of.job_id, number],
    asRead,
  )
  return row && of.key.open(row.ciphertext, sealedIn.input(of, number))
}

/** Appends to files. Needs a transaction of the leader: nobody else appends. */
export async function appendParts(db: Database, of: DataOf, parts: readonly FilePart[]): Promise<void> {
  for (const { name, bytes } of parts) {
    const [last] = await db.query<{ number: number | null }>(
      'SELECT max(number) AS number FROM job_files WHERE organization_id = $1 AND job_id = $2 AND name = $3',
      [of.organization_id, of.job_id, name],
    )
    let number = (last?.number ?? -1) + 1
    for (let start = 0; start < bytes.length; start += chunkSize, number++) {
      const chunk = bytes.subarray(start, start + chunkSize)
      await db.query(
        'INSERT INTO job_files (organization_id, job_id, name, number, bytes, ciphertext) VALUES ($1, $2, $3, $4, $5, $6)',
        [
          of.organization_id,
          of.job_id,
          name,
          number,
          chunk.length,
          of.key.seal(chunk, sealedIn.file(of, name, number)),
        ],
      )
    }
  }
}

/** Yields the chunks of a file. Each is read when it is asked for. */
export async function* readFileOf(db: Database, of: DataOf, name: string): AsyncGenerator<Buffer, void> {
  for (let number = 0; ; number++) {
    const [row] = await db.query<{ ciphertext: Buffer }>(
      'SELECT ciphertext FROM job_files WHERE organization_id = $1 AND job_id = $2 AND name = $3 AND number = $4',
      [of.organization_id, of.job_id, name, number],
      asRead,
    )
    if (!row) return
    yield of.key.open(row.ciphertext, sealedIn.file(of, name, number))
  }
}

/** Whether a file that is listed has not been removed. */
export async function isThere(
  db: Database,
  { organization_id, job_id }: Pick<DataOf, 'organization_id' | 'job_id'>,
  name: string,
): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 FROM job_files WHERE organization_id = $1 AND job_id = $2 AND name = $3 AND number = 0',
    [organization_id, job_id, name],
    asRead,
  )
  return rows.length > 0
}

/** Removes what an earlier leader has written, for a job that begins anew. */
export async function removeFiles(
  db: Database,
  of: Pick<DataOf, 'organization_id' | 'job_id'>,
): Promise<void> {
  // A few megabytes at once: a long transaction would hold back the readers of the feed.
  while ((await removeSome(db, of)).length > 0);
}

function removeSome(db: Database, of: Pick<DataOf, 'organization_id' | 'job_id'>): Promise<object[]> {
  return db.query(
    `DELETE FROM job_files WHERE ctid = ANY(ARRAY(SELECT ctid FROM job_files WHERE organization_id = $1 AND job_id = $2 LIMIT 50)) RETURNING 1`,
    [of.organization_id, of.job_id],
  )
}

/** Removes files that nobody reads any more. */
export async function removeFilesOf(
  db: Database,
  of: Pick<DataOf, 'organization_id' | 'job_id'>,
  names: readonly string[],
): Promise<void> {
  await db.query(
    'DELETE FROM job_files WHERE organization_id = $1 AND job_id = $2 AND name = ANY($3::text[])',
    [of.organization_id, of.job_id, names],
  )
}

/** Says when the parts of a file are removed, and returns its size. */
export async function expireFile(
  db: Database,
  of: Pick<DataOf, 'organization_id' | 'job_id'>,
  name: string,
  expires_at: string,
): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    `WITH t AS (UPDATE job_files SET expires_at = $4 WHERE organization_id = $1 AND job_id = $2 AND name = $3 RETURNING bytes)
     SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM t`,
    [of.organization_id, of.job_id, name, expires_at],
  )
  return present(row, 'the size of a file').bytes
}
