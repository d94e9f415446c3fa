import type { JsonSchema } from '@gatehouse-access/api'
import { type Html, html, prose } from '../../texts/html.ts'

export interface Row {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly about: string
  readonly choices: readonly string[]
}

/** Returns one row per field. The fields of a nested object follow it, named by their path. */
export function rowsOf(schema: JsonSchema, prefix = ''): Row[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, part]) => [
    rowOf(prefix + name, part, required.includes(name)),
    ...nestedRows(part, prefix + name),
  ])
}

function nestedRows(schema: JsonSchema, path: string): Row[] {
  const items = schema.items
  return items ? rowsOf(items, `${path}[].`) : rowsOf(schema, `${path}.`)
}

export function rowOf(name: string, schema: JsonSchema, required: boolean, about?: string): Row {
  const items = schema.items
  const choices = (schema.enum ?? items?.enum ?? []).filter(choice => choice !== null)
  return {
    name,
    type: describeType(schema),
    required,
    about: about ?? String(schema.description),
    choices: choices.map(String),
  }
}

/** `string`, `integer 4–20`, `array of member id`, `date-time or null`. */
function describeType(schema: JsonSchema): string {
  const types = [schema.type ?? []].flat()
  const suffix = types.includes('null') ? ' or null' : ''
  return describePlain(schema, types[0] ?? 'object') + suffix
}

function describePlain(schema: JsonSchema, type: string): string {
  if (type === 'array') return `array of ${describeType(schema.items ?? {})}`
  if (schema.enum) return 'enum'
  if (schema.minimum !== undefined) return `${type} ${schema.minimum}–${schema.maximum}`
  const prefix = /^\^(\w+)_\[0-9a-hj/.exec(String(schema.pattern))?.[1]
  return prefix ? `id ${prefix}_…` : String(schema.format ?? type)
}

export function fieldTable(heading: string, rows: readonly Row[]): Html {
  return html`<table>
<thead><tr><th scope="col">${heading}</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(fieldRow)}</tbody>
</table>`
}

function fieldRow({ name, type, required, about, choices }: Row): Html {
  const mark = required ? html` <span class="required">required</span>` : undefined
  return html`<tr><th scope="row"><code>${breakable(name)}</code> <span class="type">${type}</span>${mark}</th>
<td>${prose(about)}${choices.length > 0 ? choiceList(choices) : undefined}</td></tr>`
}

/** Allows line breaks after dots and underscores in long names. */
function breakable(name: string): Html[] {
  return name.split(/(?<=[._])/).map(part => html`${part}<wbr>`)
}

function choiceList(choices: readonly string[]): Html {
  return html`<ul class="choices">${choices.map(choice => html`<li><code>${choice}</code></li>`)}</ul>`
}
