import { keptCharacters } from '@gatehouse-access/core'
import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { flag, text } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'

/** Any JSON value. */
const value: Type<unknown> = {
  schema: { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] },
  column: 'jsonb',
  parse: given => given,
}

const parts = {
  field: required(text(64), 'The field.'),
  path: nullable(text(255), 'Where in its value, if only a part changed: `1.schedule_id`.'),
  before: nullable(value, 'The value before.'),
  after: nullable(value, 'The value after.'),
  is_cut: nullable(flag, 'True if a value is not whole: it is then a text that ends with `…`, or null.'),
  is_secret: nullable(flag, 'True for a secret, of which events tell only that it changed.'),
}
export type FieldChange = Shape<typeof parts>

export const mostChanges = 50
export const changes = list(shape(parts), { max: mostChanges })
export const changesAbout = `Of an edit: what changed, at most ${mostChanges} places, with texts of at most ${keptCharacters} characters each and 8,000 together.`
