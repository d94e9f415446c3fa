import {
  bodySchema,
  type Endpoint,
  errorsOf,
  errorTypes,
  exampleAnswer,
  objectSchema,
  type Resource,
  resourceOf,
  scopesOf,
  spell,
  titleOf,
  withArticle,
} from '@gatehouse-access/api'
import { type Html, html, prose } from '../../texts/html.ts'
import { curlExample } from './curl.ts'
import { fieldTable, rowsOf } from './fields.ts'
import { codeBlock, highlightJson } from './json.ts'
import { objectAnchor } from './object.ts'
import { renderParameters } from './parameters.ts'
import { typescriptExample } from './typescript.ts'

export function endpointAnchor({ id }: Endpoint): string {
  return id.replace('.', '-')
}

export function methodBadge({ method }: Endpoint): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

export function renderEndpoint(endpoint: Endpoint, baseUrl: string): Html {
  const anchor = endpointAnchor(endpoint)
  return html`<section class="pair" id="${anchor}" aria-labelledby="${anchor}-title">
<div class="words">
<h3 id="${anchor}-title"><a href="#${anchor}">${titleOf(endpoint)}</a></h3>
<p class="route">${methodBadge(endpoint)} <code>/v2${endpoint.path}</code></p>
<p>${prose(endpoint.about)}</p>
${renderScope(endpoint)}
${renderParameters(endpoint)}
${renderBody(endpoint)}
<h4>Response</h4>
${renderAnswer(endpoint)}
<h4>Errors</h4>
${renderErrors(endpoint)}
</div>
<div class="code">
<div class="examples">${codeBlock('curl', html`${curlExample(endpoint, baseUrl)}`, 'curl')}
${codeBlock('TypeScript', html`${typescriptExample(endpoint)}`, 'typescript')}</div>
${codeBlock('Response', highlightJson(exampleAnswer(endpoint)))}
</div>
</section>`
}

function renderScope(endpoint: Endpoint): Html {
  const names = scopesOf(endpoint).map((name, index) => html`${index > 0 ? ' or ' : ''}<code>${name}</code>`)
  return html`<p class="scope">Scope ${names}</p>`
}

function renderBody(endpoint: Endpoint): Html | undefined {
  if (endpoint.body === undefined) return undefined
  const rows = rowsOf(bodySchema(endpoint))
  return rows.length > 0
    ? fieldTable('Body field', rows)
    : html`<p>The body is empty, or <code>{}</code>.</p>`
}

function renderAnswer(endpoint: Endpoint): Html {
  const { answer, resource, query } = endpoint
  const link = html`<a href="#${objectAnchor(resource)}">${spell(answer === 'page' ? resource.plural : resource.kind)}</a>`
  if (answer === 'page')
    return html`<p>A page of ${link}: <code>data</code>, <code>has_next</code>, <code>cursor_next</code>.</p>`
  if (typeof answer === 'object')
    return 'page_of' in answer
      ? renderComputedPage(resourceOf(answer.page_of))
      : fieldTable('Response field', rowsOf(answer.schema))
  const addition =
    answer === 'revealed' ? secretNote(endpoint) : query.dry_run ? dryRunNote : grantNote(endpoint)
  return html`<p>${article(resource.kind)} ${link}${addition}.</p>`
}

function renderComputedPage(resource: Resource): Html {
  const entries = fieldTable('Field of each entry', rowsOf(objectSchema(resource)))
  return html`<p>A page: <code>data</code>, <code>has_next</code>, <code>cursor_next</code>.</p>${entries}`
}

function article(kind: string): string {
  return withArticle(kind).startsWith('an') ? 'An' : 'A'
}

function secretNote({ resource }: Endpoint): Html {
  const names = Object.keys(resource.reveals ?? {})
  return html` with ${names.map(name => html`<code>${name}</code>`)}`
}

const dryRunNote = html`; with <code>dry_run=true</code> also <code>would_delete</code>`

function grantNote({ id }: Endpoint): Html | undefined {
  if (id !== 'grant.create') return undefined
  return html` with <code>group_associations</code> and, with their secrets, the requested kinds of credentials`
}

function renderErrors(endpoint: Endpoint): Html {
  const items = errorsOf(endpoint).map(
    type => html`<li><a href="#error-${type}"><span>${errorTypes[type].status}</span> ${type}</a></li>`,
  )
  return html`<ul class="errors">${items}</ul>`
}
