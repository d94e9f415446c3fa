import { conventions, type Endpoint, type Resource, tagOf, titleOf } from '@gatehouse-access/api'
import { type Html, html } from '../../texts/html.ts'
import { endpointAnchor, methodBadge } from './endpoint.ts'
import { objectAnchor } from './object.ts'

/** On a phone, the navigation covers the page while it is the URL's target, so following a link closes it. */
export function renderNavigation(chapters: ReadonlyMap<Resource, readonly Endpoint[]>): Html {
  return html`<nav id="contents" aria-label="Contents">
<a class="close" href="#main">Close</a>
<h2>Start</h2>
<ul><li><a href="#start">First request</a></li><li><a href="/docs/guides">Guides</a></li>${conventions.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul>
<h2>Resources</h2>
${[...chapters].map(([resource, endpoints]) => renderGroup(resource, endpoints))}
</nav>`
}

function renderGroup(resource: Resource, endpoints: readonly Endpoint[]): Html {
  return html`<details name="resource"><summary>${tagOf(resource)}</summary>
<ul><li><a href="#${objectAnchor(resource)}">The object</a></li>${endpoints.map(
    endpoint =>
      html`<li><a href="#${endpointAnchor(endpoint)}">${titleOf(endpoint)} ${methodBadge(endpoint)}</a></li>`,
  )}</ul></details>`
}
