import { conventions, type Operation, type Resource, tagOf } from '@gatehouse-access/api'
import { type Html, html } from '../../texts/html.ts'
import { objectAnchor } from './object.ts'
import { methodBadge, operationAnchor } from './operation.ts'

/** On a phone, the navigation covers the page while it is the URL's target, so following a link closes it. */
export function renderNavigation(chapters: ReadonlyMap<Resource, readonly Operation[]>): Html {
  return html`<nav id="contents" aria-label="Contents">
<a class="close" href="#main">Close</a>
<h2>Start</h2>
<ul><li><a href="#start">First request</a></li><li><a href="/docs/guides">Guides</a></li>${conventions.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul>
<h2>Resources</h2>
${[...chapters].map(([resource, group]) => renderGroup(resource, group))}
</nav>`
}

function renderGroup(resource: Resource, group: readonly Operation[]): Html {
  return html`<details name="resource"><summary>${tagOf(resource)}</summary>
<ul><li><a href="#${objectAnchor(resource)}">The object</a></li>${group.map(
    operation =>
      html`<li><a href="#${operationAnchor(operation)}">${operation.title} ${methodBadge(operation)}</a></li>`,
  )}</ul></details>`
}
