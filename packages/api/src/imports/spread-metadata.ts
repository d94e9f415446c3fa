import type { TargetColumn } from './columns.ts'
import { metadataText, parseObject } from './json-cells.ts'
import { quoted } from './problems.ts'
import type { SourceRow } from './source-row.ts'

/** Reads a cell that has all metadata as JSON, as exports can write it, as if each key had a column of its own. */
export function spreadMetadata(row: SourceRow): SourceRow {
  const written = row.cells.get('metadata')
  if (written === undefined) return row
  const column = row.names.get('metadata') ?? 'metadata'
  const object = parseObject(written)
  if (!object) {
    const problem = `${quoted(written)} is not a JSON object like {"floor": "3"}`
    return { ...row, problems: [...row.problems, { column, problem }] }
  }
  const cells = new Map(row.cells)
  const names = new Map(row.names)
  cells.delete('metadata')
  for (const [key, value] of Object.entries(object)) {
    const target: TargetColumn = `metadata.${key}`
    const text = metadataText(value)
    if (names.has(target) || text.trim() === '') continue
    names.set(target, column)
    cells.set(target, text)
  }
  return { ...row, cells, names }
}
