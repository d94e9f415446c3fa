import type { Database, Row } from '../../database/db.ts'
import { inGaps } from '../../flow/gaps.ts'
import { expandObjects } from '../../store/expand.ts'
import { listObjects } from '../../store/list.ts'
import { tellRows } from '../../store/tell.ts'
import type { Reach } from '../../store/where.ts'
import type { Context } from '../objects/context.ts'
import type { ExportPlan } from './export-plan.ts'
import type { RowWriter } from './row-writer.ts'

/** Rows of a page. With expands as many as a list may have, since what they embed has a bound for each answer. */
const plainRows = 250
const expandedRows = 100

export interface WrittenPage {
  readonly pieces: readonly string[]
  readonly rows: number
  readonly cursor_next: string | undefined
}

/** Reads and writes one page of an export, as the API would answer its rows. */
export async function readExportPage(
  { db, context }: { readonly db: Database; readonly context: Context },
  plan: ExportPlan,
  reach: Reach,
  writer: RowWriter,
  cursor: string | undefined,
): Promise<WrittenPage> {
  const { resource, query } = plan
  const isExpanded = Object.keys(query.expand).length > 0
  const limit = isExpanded ? expandedRows : plainRows
  const page = await listObjects(db, resource, reach, { ...query, limit, cursor })
  const rows: Row[] = page.data.map(row => ({ ...row }))
  await tellRows({ db, context }, resource, rows)
  await writer.complete(db, rows)
  if (isExpanded) await expandObjects({ db, context }, resource, reach, rows, query.expand)
  const pieces = await inGaps(writer.write(rows))
  return { pieces, rows: rows.length, cursor_next: page.cursor_next }
}
