import { type Html, html } from '../../texts/html.ts'

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null|-?\d[\d.]*)\b/g

/** Formats JSON, with keys, strings and literals marked for the stylesheet. */
export function highlightJson(value: unknown): Html {
  const text = layOut(value)
  const pieces: Html[] = []
  let done = 0
  for (const match of text.matchAll(token)) {
    pieces.push(html`${text.slice(done, match.index)}`, mark(match))
    done = match.index + match[0].length
  }
  return html`${pieces}${text.slice(done)}`
}

function mark([whole, string, colon]: RegExpExecArray): Html {
  if (string === undefined) return html`<span class="literal">${whole}</span>`
  return colon ? html`<span class="key">${string}</span>${colon}` : html`<span class="text">${string}</span>`
}

/** Indents JSON, but keeps short values on one line. */
export function layOut(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  if (typeof value !== 'object' || value === null || (indent !== '' && indent.length + flat.length < 42))
    return flat
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map(entry => inner + layOut(entry, inner))
    : Object.entries(value).map(([key, held]) => `${inner}${JSON.stringify(key)}: ${layOut(held, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** Renders a code block that can be scrolled with the keyboard. */
export function codeBlock(label: string, code: Html, language?: 'curl' | 'typescript'): Html {
  const mark = language && html` data-language="${language}"`
  return html`<figure${mark}><figcaption>${label}</figcaption><pre tabindex="0" aria-label="${label}"><code>${code}</code></pre></figure>`
}
