import { type FieldChange, isColumn, mostChanges, personalOf, type Resource } from '@gatehouse-access/api'
import { cutText } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import { type Difference, findDifferences } from './differences.ts'

/** What an edit changed, as its event tells it. */
export interface Told {
  readonly changes?: FieldChange[]
  readonly changes_cut?: true
}

/** Characters of all values of one event together: an event travels to webhooks and streams, and stays for years. */
const roomForValues = 8000

/** Returns nothing if no field changed that anybody may see. */
export function tellChanges(resource: Resource, before: Row, changed: Row): Told {
  const all = Object.keys(changed).flatMap(name => changesOfField(resource, name, before, changed))
  // A secret may be stored in several columns: its ciphertext, and a hash to find it by.
  const fields = [...new Map(all.map(changes => [changes[0]?.field, changes])).values()]
  if (fields.length === 0) return {}
  // Each field is named at least once, so that the filter finds it, whatever the others take.
  let spare = mostChanges - fields.length
  let room = roomForValues
  let isCut = false
  const changes = fields.flatMap(found => {
    const kept = found.slice(0, 1 + spare)
    spare -= kept.length - 1
    isCut ||= kept.length < found.length
    return kept
  })
  const shortened = changes.map(change => {
    const { told, size } = shorten(change, room)
    room -= size
    return told
  })
  return { changes: shortened, ...(isCut ? { changes_cut: true } : {}) }
}

type Change = Difference & { readonly field: string; readonly is_secret?: true }

function changesOfField(resource: Resource, name: string, before: Row, changed: Row): [Change[]] | [] {
  const field = resource.fields[name]
  if (!field || !isColumn(field)) return []
  if (personalOf(field) === 'secret') return [[secret(name.replace(/_(ciphertext|hash)$/, ''))]]
  if (field.hidden) return []
  // Stored values may lack what answers add.
  const shown = (value: unknown) => (field.render && value != null ? field.render(value) : value)
  const found = findDifferences(shown(before[name]), shown(changed[name]), mostChanges + 1)
  if (found.length === 0) return []
  // Whoever reads events may not read what belongs to another application.
  return [
    resource.owned_by_application || resource.private_to_application
      ? [secret(name)]
      : found.map(difference => ({ field: name, ...difference })),
  ]
}

function secret(field: string): Change {
  return { field, path: '', before: null, after: null, is_secret: true }
}

function shorten(
  { field, path, before, after, is_secret }: Change,
  room: number,
): { told: FieldChange; size: number } {
  const place = path === '' ? { field } : { field, path: cutText(path) }
  if (is_secret) return { told: { ...place, is_secret }, size: 0 }
  const [old, fresh] = [shortenValue(before), shortenValue(after)]
  const size = old.size + fresh.size
  if (size > room) return { told: { ...place, before: null, after: null, is_cut: true }, size: 0 }
  const is_cut = old.is_cut || fresh.is_cut
  return { told: { ...place, before: old.value, after: fresh.value, ...(is_cut && { is_cut }) }, size }
}

/** A long list or object becomes the beginning of its JSON. */
function shortenValue(value: unknown): { value: unknown; size: number; is_cut: boolean } {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
  const kept = cutText(text)
  const is_cut = kept !== text
  return { value: is_cut ? kept : (value ?? null), size: kept.length, is_cut }
}
