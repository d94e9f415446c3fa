import {
  bodySchema,
  type Endpoint,
  errorsOf,
  exampleAnswer,
  objectSchema,
  parametersOf,
  type Resource,
  resourceOf,
  spell,
  toOperation,
  withArticle,
} from '@gatehouse-access/api'
import { type Html, html } from '../../texts/html.ts'
import { curlExample } from './curl.ts'
import { fieldTable, rowsOf } from './fields.ts'
import { codeBlock, highlightJson } from './json.ts'
import { objectAnchor } from './object.ts'
import { renderOperation } from './operation.ts'
import { renderParameters } from './parameters.ts'
import { typescriptExample } from './typescript.ts'

export function renderEndpoint(endpoint: Endpoint, baseUrl: string): Html {
  return renderOperation(toOperation(endpoint), {
    rest: html`${renderParameters(parametersOf(endpoint), endpoint.verb === 'list')}
${renderBody(endpoint)}
<h4>Response</h4>
${renderAnswer(endpoint)}`,
    errors: errorsOf(endpoint),
    curl: curlExample(endpoint, baseUrl),
    typescript: typescriptExample(endpoint),
    answers: codeBlock('Response', highlightJson(exampleAnswer(endpoint))),
  })
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
