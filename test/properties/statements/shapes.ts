import type { Type } from '@gatehouse-access/api'
import type { Column } from '../../../packages/server/src/database/postgres/wire/rows.ts'
import { type Parse, parserOf } from '../../../packages/server/src/database/postgres/wire/types.ts'
import type { Shape } from './claims.ts'

/** By the driver's parser for each PostgreSQL type: boolean, bytea, integer, jsonb, text[], timestamptz. */
const shapes = new Map<Parse | undefined, Shape>([
  [undefined, 'text'],
  [parserOf(16), 'flag'],
  [parserOf(17), 'bytes'],
  [parserOf(23), 'number'],
  [parserOf(3802), 'json'],
  [parserOf(1009), 'texts'],
  [parserOf(1184), 'text'],
])

export function shapeOf({ parse }: Column): Shape {
  return shapes.get(parse) ?? 'anything'
}

/** Returns what a declaration claims about a column. */
export function declaredShape({ column }: Type<unknown>): Shape {
  return declared.get(column) ?? 'text'
}

const declared = new Map<string, Shape>([
  ['boolean', 'flag'],
  ['bytea', 'bytes'],
  ['integer', 'number'],
  ['double precision', 'number'],
  ['jsonb', 'json'],
  ['text[]', 'texts'],
])
