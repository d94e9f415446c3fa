import {
  type ImportKind,
  importColumns,
  isTarget,
  metadataKey,
  readOnlyColumns,
  type TargetColumn,
} from './columns.ts'
import { type HeadLanguage, headLanguages, headWords } from './head-words.ts'

/** What a head line means. */
export interface MatchedHead {
  /** The meaning of each column of the file, in order. Null for a column that is passed over. */
  readonly targets: readonly (TargetColumn | null)[]
  /** Columns whose name means nothing and that no mapping names. */
  readonly unknown: readonly string[]
  /** Columns of the file that mean the same as one before them. */
  readonly repeated: readonly string[]
  /** Whether 3/4/2026 is 3 April, as in every language of head words but English. */
  readonly is_day_first: boolean
}

/** What the importer says of the columns of a file. Null: pass this column over. */
export type Mapping = { readonly [column: string]: TargetColumn | null }

export function matchHead(kind: ImportKind, head: readonly string[], mapping: Mapping = {}): MatchedHead {
  const given = new Map(Object.entries(mapping).map(([name, target]) => [bare(name), target]))
  const found = head.map(name => {
    const mapped = given.get(bare(name))
    return mapped === undefined ? matchName(kind, name) : { target: mapped, languages: [] }
  })
  const targets = found.map(match => match?.target ?? null)
  const isRepeated = (target: TargetColumn | null, index: number) =>
    target !== null && targets.indexOf(target) !== index
  return {
    targets,
    unknown: head.filter((_, index) => found[index] === undefined),
    repeated: head.filter((_, index) => isRepeated(targets[index] ?? null, index)),
    is_day_first: found.some(match => match && match.languages.length > 0 && !match.languages.includes('en')),
  }
}

interface Match {
  readonly target: TargetColumn | null
  readonly languages: readonly HeadLanguage[]
}

function matchName(kind: ImportKind, name: string): Match | undefined {
  // A key of metadata may end with a space, if the file has it in quotes.
  const trimmed = metadataKey(name) === undefined ? name.trim() : name
  if (isTarget(kind, trimmed)) return { target: trimmed, languages: [] }
  const word = bare(name)
  // A column without a name, as spreadsheets leave behind, is passed over.
  if (word === '' || readOnlyColumns.some(column => bare(column) === word))
    return { target: null, languages: [] }
  return wordsOf(kind).get(word)
}

const indexes = new Map<ImportKind, ReadonlyMap<string, Match>>()

/** The first column that has a word keeps it: "a" is until, since no column before has it. */
function wordsOf(kind: ImportKind): ReadonlyMap<string, Match> {
  const known = indexes.get(kind)
  if (known) return known
  const index = new Map<string, { target: TargetColumn; languages: HeadLanguage[] }>()
  for (const target of importColumns(kind)) {
    index.set(bare(target), { target, languages: ['en'] })
    for (const language of headLanguages)
      for (const word of headWords[target][language]) {
        const match = index.get(bare(word)) ?? { target, languages: [] }
        if (match.target === target) match.languages.push(language)
        index.set(bare(word), match)
      }
  }
  indexes.set(kind, index)
  return index
}

/** Case, accents and punctuation do not matter. */
function bare(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
