import {
  endpoints,
  listOperations,
  listTransfers,
  type Operation,
  type Resource,
  tagOf,
} from '@gatehouse-access/api'
import { command_name } from '../../config/place.ts'
import { type Html, html, prose } from '../../texts/html.ts'
import { renderChapters } from './chapters.ts'
import { renderEndpoint } from './endpoint.ts'
import { renderFrame } from './frame.ts'
import { codeBlock } from './json.ts'
import { renderNavigation } from './navigation.ts'
import { renderObject } from './object.ts'
import { methodBadge, operationAnchor } from './operation.ts'
import { renderTransfer } from './transfer.ts'

/** Renders the reference as one page that needs no other hosts. */
export function renderPage(publicUrl: string): string {
  const baseUrl = `${publicUrl}/v2`
  const chapters = Map.groupBy(listOperations(), ({ resource }) => resource)
  return renderFrame({
    title: 'API reference',
    navigation: renderNavigation(chapters),
    main: html`${renderStart(baseUrl)}
<h2 class="part">Conventions</h2>
${renderChapters()}
${[...chapters].map(([resource, group]) => renderResource(resource, group, baseUrl))}`,
  })
}

function renderStart(baseUrl: string): Html {
  const request = `export TOKEN=$(${command_name} token)\n\ncurl "${baseUrl}/members?limit=3" \\\n  -H "Authorization: Bearer $TOKEN"`
  const program = `import { createClient } from '@gatehouse-access/sdk'\n\nconst gatehouse = createClient({\n  base_url: '${baseUrl}',\n  token: process.env.TOKEN ?? '',\n})\nconst { data } = await gatehouse.members.list({ limit: 3 })`
  return html`<section class="pair start" id="start" aria-labelledby="start-title">
<div class="words">
<h1 id="start-title">Gatehouse API</h1>
<p class="lead">Control who can open what, and when: members, groups, credentials, doors and everything that happens at them.</p>
<p>The API is JSON over HTTP at <code>${baseUrl}</code>. <code>${command_name} token</code> prints an access token for this instance. Set <code>TOKEN</code> to it, and you can paste the examples on this page. IDs are variables such as <code>$MEMBER_ID</code>: set them to your own IDs.</p>
<p>The <a href="/docs/guides">guides</a> explain how things work together, beginning with <a href="/docs/guides/api">the API</a> and <a href="/docs/guides/command">the command</a>.</p>
</div>
<div class="code"><div class="examples">${codeBlock('First request', html`${request}`, 'curl')}
${codeBlock('First request', html`${program}`, 'typescript')}</div></div>
</section>`
}

function renderResource(resource: Resource, group: readonly Operation[], baseUrl: string): Html {
  const of = (operation: { readonly resource: Resource }) => operation.resource === resource
  return html`<section class="resource" id="${resource.kind}" aria-labelledby="${resource.kind}-title">
<h2 class="part" id="${resource.kind}-title"><a href="#${resource.kind}">${tagOf(resource)}</a></h2>
<p class="lead">${prose(resource.about)}</p>
<ul class="endpoints">${group.map(renderLink)}</ul>
${renderObject(resource)}
${endpoints.filter(of).map(endpoint => renderEndpoint(endpoint, baseUrl))}
${listTransfers()
  .filter(of)
  .map(transfer => renderTransfer(transfer, baseUrl))}
</section>`
}

function renderLink(operation: Operation): Html {
  return html`<li><a href="#${operationAnchor(operation)}">${methodBadge(operation)} <code>/v2${operation.path}</code></a></li>`
}
