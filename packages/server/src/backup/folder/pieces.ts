/**
 * A piece of archived write-ahead log. Everything that was committed before `until` lies before its end, or
 * in an earlier piece of its line.
 */
export interface Piece {
  readonly line: string
  readonly start: bigint
  readonly end: bigint
  readonly until: string
}

const pattern = /^([0-9A-F]{16})-([0-9A-F]{16})-(\d{8}T\d{9}Z)\.wal$/

export function pieceName({ start, end, until }: Piece): string {
  return `${hex(start)}-${hex(end)}-${until.replace(/[-:.]/g, '')}.wal`
}

/** Returns undefined if the file is no piece. */
export function parsePieceName(line: string, name: string): Piece | undefined {
  const [, start, end, until] = pattern.exec(name) ?? []
  if (!start || !end || !until) return undefined
  return { line, start: BigInt(`0x${start}`), end: BigInt(`0x${end}`), until: parseTime(until) }
}

/** The name inside of the header, so that a piece cannot take the place of another. */
export function pieceTitle(piece: Piece): string {
  return `${piece.line}/${pieceName(piece)}`
}

function hex(lsn: bigint): string {
  return lsn.toString(16).toUpperCase().padStart(16, '0')
}

function parseTime(text: string): string {
  return text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, '$1-$2-$3T$4:$5:$6.$7Z')
}
