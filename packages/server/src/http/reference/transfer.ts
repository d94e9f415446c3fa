import type { Transfer } from '@gatehouse-access/api'
import { type Html, html, prose } from '../../texts/html.ts'
import { curlTransfer } from './curl.ts'
import { fieldTable, rowsOf } from './fields.ts'
import { codeBlock, highlightJson } from './json.ts'
import { renderOperation } from './operation.ts'
import { renderParameters } from './parameters.ts'
import { typescriptTransfer } from './typescript.ts'

export function renderTransfer(transfer: Transfer, baseUrl: string): Html {
  const { parameters, errors, guide, answer, upgrade } = transfer
  return renderOperation(transfer, {
    rest: html`<p>The guide <a href="/docs/guides/${guide}">${guide}</a> says more.</p>
${renderParameters(parameters, transfer.id.endsWith('.export'))}
${renderBody(transfer)}
<h4>Response</h4>
<p>${prose(answer.description)} <code>Content-Type</code>: ${mediaTypes(answer.content)}.</p>
${upgrade === undefined ? undefined : html`<p>To a WebSocket, 101: ${prose(upgrade)}</p>`}`,
    errors,
    curl: curlTransfer(transfer, baseUrl),
    typescript: typescriptTransfer(transfer, baseUrl),
    answers: html`${Object.entries(answer.content).map(renderExample)}`,
  })
}

function mediaTypes(content: Transfer['answer']['content']): Html[] {
  return Object.keys(content).map((type, index) => html`${index > 0 ? ' or ' : ''}<code>${type}</code>`)
}

function renderBody({ body }: Transfer): Html | undefined {
  if (!body) return undefined
  const schemas = Object.entries(body).map(([type, { schema }]) => [type, schema])
  return fieldTable('Body, one of', rowsOf({ properties: Object.fromEntries(schemas) }))
}

function renderExample([type, { example }]: [string, { readonly example?: unknown }]): Html | undefined {
  if (example === undefined) return undefined
  return codeBlock(
    `Response, ${type}`,
    typeof example === 'string' ? html`${example}` : highlightJson(example),
  )
}
