import { type Chapter, conventions, errorTypes, exampleError } from '@gatehouse-access/api'
import { type Html, html, prose } from '../../texts/html.ts'
import { codeBlock, highlightJson } from './json.ts'

export function renderChapters(): Html[] {
  return conventions.map(renderChapter)
}

function renderChapter(chapter: Chapter): Html {
  return html`<section class="pair" id="${chapter.id}" aria-labelledby="${chapter.id}-title">
<div class="words">
<h3 id="${chapter.id}-title"><a href="#${chapter.id}">${chapter.title}</a></h3>
${paragraphs(chapter.text)}
${chapter.id === 'errors' ? catalogue() : undefined}
</div>
<div class="code">${examples[chapter.id]?.()}</div>
</section>`
}

/** Combines adjacent points into one list. */
function paragraphs(text: readonly string[]): Html[] {
  const points = text
    .filter(line => line.startsWith('* '))
    .map(line => html`<li>${prose(line.slice(2))}</li>`)
  return text.flatMap((line, index) => {
    if (!line.startsWith('* ')) return [html`<p>${prose(line)}</p>`]
    return text[index - 1]?.startsWith('* ') ? [] : [html`<ul>${points}</ul>`]
  })
}

function catalogue(): Html {
  const rows = Object.entries(errorTypes).map(
    ([type, { status, about }]) =>
      html`<tr id="error-${type}"><th scope="row"><code>${type}</code> <span class="type">${status}</span></th><td>${prose(about)}</td></tr>`,
  )
  return html`<table><thead><tr><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`
}

const examples: Readonly<Record<string, () => Html>> = {
  authentication: () => codeBlock('Header', html`Authorization: Bearer gha_4vJ8mQ2sX7k…`),
  pagination: () =>
    codeBlock('A page', highlightJson({ data: ['…'], has_next: true, cursor_next: 'WyIyMDI2LTEx' })),
  filters: () =>
    codeBlock(
      'Query',
      html`/v2/events?verb=use
  &object.type=gadget_action
  &created_at:ge=2026-11-14T00:00:00Z`,
    ),
  expands: () =>
    codeBlock(
      'Query',
      html`/v2/members
  ?expand=emails,group_associations.member_group`,
    ),
  errors: () => codeBlock('An error', highlightJson(exampleError('invalid_request'))),
  idempotency: () => codeBlock('Header', html`Idempotency-Key: b7a1f6c2-5d0e-4f7e-9a53-2f1c8e6d9b40`),
  etags: () => codeBlock('Header', html`If-Match: "5f0d1c9be2"`),
  'rate-limits': () =>
    codeBlock(
      'Headers',
      html`RateLimit-Limit: 500
RateLimit-Remaining: 999
RateLimit-Reset: 1`,
    ),
}
