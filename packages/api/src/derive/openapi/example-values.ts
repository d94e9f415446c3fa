import { idPattern } from '@gatehouse-access/core'
import type { JsonSchema } from '../../kit/type.ts'
import { type Kind, prefixes } from '../../prefixes.ts'
import { resources } from '../../resources/index.ts'

export const exampleTimestamp = '2026-11-14T09:30:00.123456Z'

/** Returns a valid id of the kind. It is the same everywhere, so that examples are consistent. */
export function exampleId(kind: Kind): string {
  return `${prefixes[kind]}_06gxjs3e7dds3ssctgw6`
}

/** A string with a pattern uses the example of any field that has the same pattern. */
const byPattern = new Map<unknown, unknown>([...idExamples(), ...fieldExamples()])

function idExamples(): [string, string][] {
  return (Object.keys(prefixes) as Kind[]).map(kind => [idPattern(prefixes[kind]), exampleId(kind)])
}

function fieldExamples(): [unknown, unknown][] {
  return Object.values(resources)
    .flatMap(({ fields }) => Object.values(fields))
    .filter(({ type, example }) => type.schema.pattern !== undefined && example !== undefined)
    .map(({ type, example }) => [type.schema.pattern, example])
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': exampleTimestamp,
  date: '2026-12-24',
  email: 'guest@example.com',
  uri: 'https://example.com/',
}

/** Returns a value that the schema allows. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.enum) return schema.enum[0]
  const [type] = [schema.type].flat()
  if (type === 'object') return exampleShape(schema)
  if (type === 'array') return [exampleOf(schema.items ?? {})]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  return byPattern.get(schema.pattern) ?? byFormat[String(schema.format)] ?? 'text'
}

function exampleShape({ properties = {}, required = [] }: JsonSchema): object {
  return Object.fromEntries(required.map(name => [name, exampleOf(properties[name] ?? {})]))
}
