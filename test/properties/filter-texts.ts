import type { Filter } from '@gatehouse-access/api'
import { neverId } from './one-of-each.ts'

/** Timestamps that differ by a microsecond, and the limits of the allowed range. */
export const instants = [
  '0001-01-01T00:00:00.000000Z',
  '2026-11-14T09:30:00.000000Z',
  '2026-11-14T09:30:00.000001Z',
  '2026-11-14T09:30:00.123456Z',
  '2026-11-14T09:30:01.000000Z',
  '9999-12-31T23:59:59.999999Z',
]

const localIds = ['open', 'closed', 'bell']
const dates = ['2026-12-24', '2027-01-01']
const named: Record<string, readonly string[]> = {
  kind: ['holiday', 'half_day'],
  uid: ['04A1B2C3', '04A1B2C4D5E6F7'],
  printed_code: ['GH-1', 'GH-2', 'é%_'],
  hardware_id: ['hw_A1B2', 'hw_C3D4'],
  'object.hardware_id': ['hw_A1B2', 'hw_C3D4'],
  reference: ['DSR-1', 'é%_'],
  external_id: ['R-1', 'r-1', "'; --"],
  email: ['guest@example.com', 'Guest@Example.com'],
  product_id: ['controller', 'keypad'],
  timezone: ['Europe/Madrid', 'UTC'],
  language: ['es', 'pt-BR', ''],
  'object.changed_field': ['name', 'permissions'],
  'object.gadget_action_id': localIds,
  'object.gadget_state_id': localIds,
  'object.gadget_signal_id': localIds,
}

/** Returns a few values that the filter's parameter accepts. */
export function filterTexts({ name, type }: Filter): readonly string[] {
  if (type.target) {
    const { target } = type
    return [0, 1, 2].map(number => neverId(target, number))
  }
  if (type.choices) return type.choices
  if (type.schema.type === 'boolean') return ['true', 'false']
  if (type.schema.format === 'date-time') return instants
  if (type.schema.format === 'date') return dates
  const texts = named[name]
  if (!texts) throw new Error(`there are no texts for the filter ${name}`)
  return texts
}
