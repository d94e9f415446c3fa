import { deviceLimits, type FromService, type SliceKind, type SliceRemovals } from '@gatehouse-access/api'

/** Rows to send, as JSON, by kind. */
export type Puts = ReadonlyMap<SliceKind, readonly string[]>

/** Leaves room for the frame's other fields. */
const mostRows = deviceLimits.answer_bytes * 0.7

export function deltaFrame(
  head: Pick<FromService<'delta'>, 'device_id' | 'from' | 'to' | 'previous_hash'>,
  puts: Puts,
  remove: SliceRemovals,
  erase: readonly string[],
): string {
  const start = JSON.stringify({ type: 'delta', ...head }).slice(0, -1)
  const erased = erase.length > 0 ? `,"erase":${JSON.stringify(erase)}` : ''
  return `${start},"put":${putsJson(puts)},"remove":${JSON.stringify(remove)}${erased}}`
}

export function partFrame(
  head: Pick<FromService<'snapshot_part'>, 'device_id' | 'version' | 'part'>,
  puts: Puts,
): string {
  const start = JSON.stringify({ type: 'snapshot_part', ...head }).slice(0, -1)
  return `${start},"put":${putsJson(puts)}}`
}

/** Joins serialized rows: each is serialized once for all devices. */
function putsJson(puts: Puts): string {
  return `{${[...puts].map(([kind, rows]) => `"${kind}":[${rows.join(',')}]`).join(',')}}`
}

/** Splits the rows into one part per frame, at least one. */
export function splitPuts(puts: Puts): Puts[] {
  const parts: Map<SliceKind, string[]>[] = [new Map()]
  let size = 0
  for (const [kind, rows] of puts)
    for (const row of rows) {
      // Ids, dates, hashes and time zones are ASCII, so the length of a row is its size in bytes.
      if (size > 0 && size + row.length > mostRows) {
        parts.push(new Map())
        size = 0
      }
      const part = parts.at(-1) as Map<SliceKind, string[]>
      const list = part.get(kind)
      if (list) list.push(row)
      else part.set(kind, [row])
      size += row.length + 1
    }
  return parts
}
