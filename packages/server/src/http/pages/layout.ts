import { type Html, html } from '../../texts/html.ts'
import type { Voice } from '../../texts/language.ts'

export interface Page {
  readonly title: string
  readonly body: Html
  /** An optional enhancement, served from this origin. Most pages work without it. */
  readonly script?: string
  /** Shown above the page. */
  readonly banner?: string
}

export function renderPage({ language }: Voice, { title, body, script, banner }: Page): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Gatehouse</title>
<link rel="stylesheet" href="/assets/look.css">
<link rel="stylesheet" href="/assets/pages.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${script && html`<script src="${script}" defer></script>`}
</head>
<body>
<main>
<p class="brand"><img src="/assets/icon.svg" alt="" width="28" height="28">Gatehouse</p>
${notice(banner, 'warn')}
${body}
</main>
</body>
</html>
`.text
}

/** What happened, what to mind, what went wrong. */
type Kind = 'good' | 'warn' | 'error'

/** A message that screen readers announce as soon as the page loads. */
export function notice(text: string | Html | undefined, kind: Kind = 'error'): Html | undefined {
  return text === undefined ? undefined : html`<p class="notice ${kind}" role="alert">${text}</p>`
}

export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autocomplete: string
  readonly value?: string
  readonly hint?: string
  readonly focus?: boolean
}

export function field({ name, label, type = 'text', autocomplete, value, hint, focus }: FieldOptions): Html {
  const hint_id = `${name}-hint`
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
${value !== undefined && html`value="${value}"`} ${hint && html`aria-describedby="${hint_id}"`} ${focus && html`autofocus`}>
${hint && html`<p class="hint" id="${hint_id}">${hint}</p>`}</div>`
}
