import { exampleObject, objectSchema, type Resource, spell } from '@gatehouse-access/api'
import { type Html, html } from '../../texts/html.ts'
import { fieldTable, type Row, rowsOf } from './fields.ts'
import { codeBlock, highlightJson } from './json.ts'

export function objectAnchor({ kind }: Resource): string {
  return `${kind}-object`
}

/** Renders the fields of an object and an example. */
export function renderObject(resource: Resource): Html {
  const anchor = objectAnchor(resource)
  return html`<section class="pair" id="${anchor}" aria-labelledby="${anchor}-title">
<div class="words">
<h3 id="${anchor}-title"><a href="#${anchor}">The ${spell(resource.kind)} object</a></h3>
${fieldTable('Field', ownRows(resource))}
${renderExpands(resource)}
</div>
<div class="code">${codeBlock(`A ${spell(resource.kind)}`, highlightJson(exampleObject(resource)))}</div>
</section>`
}

/** Every field is always present, so none is marked as required; expands are listed below the table. */
function ownRows(resource: Resource): Row[] {
  return rowsOf(objectSchema(resource)).map(row => ({ ...row, required: false }))
}

function renderExpands({ expands }: Resource): Html | undefined {
  const names = Object.keys(expands)
  if (names.length === 0) return undefined
  return html`<h4>Expands</h4>
<ul class="choices">${names.map(name => html`<li><code>${name}</code></li>`)}</ul>`
}
