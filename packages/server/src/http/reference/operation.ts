import { type ErrorType, errorTypes, type Operation } from '@gatehouse-access/api'
import { type Html, html, prose } from '../../texts/html.ts'
import { codeBlock } from './json.ts'

/** What an operation shows below its scope, and beside it. */
interface Details {
  readonly rest: Html
  readonly errors: readonly ErrorType[]
  readonly curl: string
  readonly typescript: string
  readonly answers: Html
}

export function operationAnchor({ id }: Operation): string {
  return id.replace('.', '-')
}

export function methodBadge({ method }: Operation): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

export function renderOperation(operation: Operation, details: Details): Html {
  const { path, title, about } = operation
  const { rest, errors, curl, typescript, answers } = details
  const anchor = operationAnchor(operation)
  return html`<section class="pair" id="${anchor}" aria-labelledby="${anchor}-title">
<div class="words">
<h3 id="${anchor}-title"><a href="#${anchor}">${title}</a></h3>
<p class="route">${methodBadge(operation)} <code>/v2${path}</code></p>
<p>${prose(about)}</p>
${renderScope(operation)}
${rest}
<h4>Errors</h4>
${renderErrors(errors)}
</div>
<div class="code">
<div class="examples">${codeBlock('curl', html`${curl}`, 'curl')}
${codeBlock('TypeScript', html`${typescript}`, 'typescript')}</div>
${answers}
</div>
</section>`
}

function renderScope({ scopes }: Operation): Html {
  const names = scopes.map((name, index) => html`${index > 0 ? ' or ' : ''}<code>${name}</code>`)
  return html`<p class="scope">Scope ${names}</p>`
}

function renderErrors(errors: readonly ErrorType[]): Html {
  const items = errors.map(
    type => html`<li><a href="#error-${type}"><span>${errorTypes[type].status}</span> ${type}</a></li>`,
  )
  return html`<ul class="errors">${items}</ul>`
}
