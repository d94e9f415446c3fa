import type { Metadata, MetadataChange } from '../kit/compounds.ts'
import { email, language, nameText, reference, text } from '../kit/scalars.ts'
import { printedCode, uid } from '../resources/card.ts'
import { pinDigits } from '../resources/member-pin.ts'
import { isNew, readAs, readFlag, readList, readTime, refuseBrokenNumber, type TimeReading } from './cells.ts'
import { metadataKey, type TargetColumn } from './columns.ts'
import { CellError, quoted, type RowProblem, refuseCell } from './problems.ts'
import type { ImportSettings } from './settings.ts'
import { CellReader, type SourceRow } from './source-row.ts'

/** What a row says of a member. What is undefined stays as it is, null and empty lists are cleared. */
export interface MemberRow {
  readonly line: number
  readonly id: string | undefined
  readonly external_id: string | undefined
  readonly member: {
    readonly name?: string | null
    readonly starts_at?: string | null
    readonly ends_at?: string | null
    readonly language?: string | null
    readonly metadata?: MetadataChange
  }
  readonly is_deleted: boolean | undefined
  readonly emails: readonly string[] | undefined
  /** Names or IDs, as written. */
  readonly groups: readonly string[] | undefined
  readonly tags: readonly string[] | undefined
  readonly card_uids: readonly string[] | undefined
  readonly card_codes: readonly string[] | undefined
  /** A PIN to set, or the wish for one, of a length if that is given. Null: none. */
  readonly pin: { readonly pin?: string; readonly length?: number } | null | undefined
  readonly magic_link: boolean | undefined
  readonly problems: readonly RowProblem[]
  readonly notices: readonly string[]
}

/** What rows are read by. */
export interface RowReading extends TimeReading {
  readonly settings: ImportSettings
  /** The digits of the longest PIN of the file. A shorter one has lost zeros at its beginning. */
  readonly pin_length: number
}

export function readMemberRow(row: SourceRow, reading: RowReading): MemberRow {
  const { settings } = reading
  const cells = new CellReader(row, defaultCells(settings))
  const notices: string[] = []
  const said: Record<string, string> = {}
  const time = (column: 'starts_at' | 'ends_at') =>
    cells.take(column, written => {
      said[column] = quoted(written.trim())
      const { at, is_twice } = readTime(written.trim(), column === 'starts_at' ? 'start' : 'end', reading)
      if (is_twice) notices.push(`Line ${row.line}: clocks show ${written.trim()} twice; the first is taken.`)
      return at
    })
  const [starts_at, ends_at] = [time('starts_at'), time('ends_at')]
  if (starts_at && ends_at && ends_at <= starts_at)
    cells.refuse('ends_at', `The end ${said.ends_at} is not after the start ${said.starts_at}`)
  const name = readName(cells)
  const tongue = cells.take('language', written => readAs(language, written.trim()))
  const metadata = readMetadata(cells, settings)
  const read: MemberRow = {
    line: row.line,
    id: readId(cells),
    external_id: readExternalId(cells),
    member: given({ name, starts_at, ends_at, language: tongue, metadata }),
    is_deleted: cells.take('is_deleted', written => readFlag(written.trim())) ?? undefined,
    emails: readEmails(cells),
    groups: cells.takeList('groups', readList) ?? settings.defaults?.member_group_ids,
    tags: cells.takeList('tags', readList),
    card_uids: readUids(cells),
    card_codes: readCards(cells, 'card_printed_code', written => readAs(printedCode, written)),
    pin: readPin(cells, reading),
    magic_link: readLink(cells, settings),
    problems: cells.problems,
    notices,
  }
  if (settings.mode === 'sync' && cells.problems.length === 0 && keyOfRow(read, settings.key) === undefined)
    cells.refuse(
      settings.key as TargetColumn,
      'The cell is empty: a sync recognizes members by it, and would make a new one each time',
    )
  return read
}

/** Whether it is certain which member a row means: by cells of its own, not by defaults. */
export function hasCertainKey(row: SourceRow, key: string): boolean {
  const cells = new CellReader(row, new Map())
  return (readId(cells) ?? readKey(cells, key) ?? undefined) !== undefined && cells.problems.length === 0
}

function readKey(cells: CellReader, key: string): string | null | undefined {
  if (key === 'external_id') return readExternalId(cells)
  if (key === 'email') return readEmails(cells)?.[0]
  if (key === 'card_uid') return readUids(cells)?.[0]
  return readMetadataCell(cells, key as TargetColumn)
}

function readId(cells: CellReader): string | undefined {
  return cells.take('id', written => readAs(reference('member'), written.trim())) ?? undefined
}

function readExternalId(cells: CellReader): string | undefined {
  const read = (written: string) => {
    refuseBrokenNumber(written.trim())
    return readAs(text(255), written)
  }
  return cells.take('external_id', read) ?? undefined
}

function given<Values extends object>(
  values: Values,
): { [K in keyof Values]?: Exclude<Values[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof Values]?: Exclude<Values[K], undefined> }
}

export function defaultCells({ defaults = {} }: ImportSettings): ReadonlyMap<string, string> {
  const texts = Object.entries(defaults).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return new Map(texts)
}

function readName(cells: CellReader): string | null | undefined {
  const first = cells.take('first_name', written => readAs(nameText, written.trim()))
  const name = cells.take('name', written => readAs(nameText, first ? `${first} ${written.trim()}` : written))
  return name === undefined && cells.text('name') === undefined ? first : name
}

function readEmails(cells: CellReader): string[] | undefined {
  return cells.takeList('email', written => {
    const emails = readList(written).map(one => readAs(email, one))
    return [...new Map(emails.map(one => [one.toLowerCase(), one])).values()]
  })
}

function readUids(cells: CellReader): string[] | undefined {
  return readCards(cells, 'card_uid', written => readAs(uid, written.replaceAll(/[\s:-]/g, '')))
}

function readCards(
  cells: CellReader,
  column: 'card_uid' | 'card_printed_code',
  read: (written: string) => string,
): string[] | undefined {
  return cells.takeList(column, written =>
    readList(written).map(one => {
      refuseBrokenNumber(one)
      return read(one)
    }),
  )
}

/** A wrong PIN is never repeated: the file of errors is read by more people than the PIN is for. */
function readPin(cells: CellReader, { pin_length, settings }: RowReading): MemberRow['pin'] {
  const wanted = settings.defaults?.credentials?.pin
  const found = cells.take('pin', written => {
    const digits = written.trim()
    if (isNew(digits)) return wanted ?? {}
    refuseBrokenPin(digits)
    if (!/^[0-9]{1,20}$/.test(digits)) throw new CellError(`A PIN is 4 to 20 digits, or the word "new"`)
    if (digits.length < pin_length)
      throw new CellError(
        `The PIN has ${digits.length} digits, but others of the file have ${pin_length}: a spreadsheet may have dropped zeros at its beginning. Format the column as text and enter it again`,
      )
    if (digits.length < 4) throw new CellError('A PIN has at least 4 digits')
    return { pin: readAs(pinDigits, digits) }
  })
  return found === undefined && cells.text('pin') === undefined ? wanted : found
}

function refuseBrokenPin(digits: string): void {
  try {
    refuseBrokenNumber(digits)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new CellError(
      'The PIN is a number that a spreadsheet has shortened: format the column as text and enter it again',
    )
  }
}

function readLink(cells: CellReader, { defaults }: ImportSettings): boolean | undefined {
  const found = cells.take('magic_link', written =>
    isNew(written.trim()) ? true : refuseCell(written, '"new": links are made by the service, never given'),
  )
  if (found === null) return false
  return found ?? (cells.text('magic_link') === undefined ? defaults?.credentials?.magic_link : undefined)
}

function readMetadata(cells: CellReader, { source }: ImportSettings): MetadataChange | undefined {
  const entries: MetadataChange = {}
  for (const column of cells.metadata) {
    const value = readMetadataCell(cells, column)
    if (value !== undefined)
      Object.defineProperty(entries, metadataKey(column) ?? '', {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  if (source !== undefined) entries.source = source
  return Object.keys(entries).length > 0 ? entries : undefined
}

function readMetadataCell(cells: CellReader, column: TargetColumn): string | null | undefined {
  return cells.take(column, written => {
    refuseBrokenNumber(written.trim())
    return readAs(text(1024), written)
  })
}

/** The value by which a row is recognized. Undefined if it has none: then it is a new member. */
export function keyOfRow(row: MemberRow, key: string): string | undefined {
  if (row.id !== undefined) return row.id
  if (key === 'external_id') return row.external_id
  if (key === 'email') return row.emails?.[0]?.toLowerCase()
  if (key === 'card_uid') return row.card_uids?.[0]
  const metadata = row.member.metadata as Metadata | undefined
  return metadata?.[key.slice('metadata.'.length)] ?? undefined
}
