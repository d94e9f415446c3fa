/**
 * What a file for `POST /imports` means: which columns it has, and what its rows say. Nothing here knows what is stored,
 * so the console shows the same columns and problems before anything is sent.
 */
export * from './columns.ts'
export { type Hash, HashTable } from './hash-table.ts'
export { type HeadLanguage, headLanguages, headWords } from './head-words.ts'
export type { HashKey } from './keyed-hash.ts'
export { type Mapping, type MatchedHead, matchHead } from './match-head.ts'
export { keyOfRow, type MemberRow, type RowReading, readMemberRow } from './member-rows.ts'
export {
  importedKind,
  type ObjectImportKind,
  type ObjectRow,
  readObjectRow,
} from './object-rows.ts'
export { quoted, type RowProblem } from './problems.ts'
export * from './settings.ts'
export { cleared, type SourceRow } from './source-row.ts'
export { Survey } from './survey.ts'
export { readTable, type TableFormat, type TableReader } from './table-reader.ts'
