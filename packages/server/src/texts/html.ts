/** Text that is already HTML. Any other value is escaped when it is inserted into a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | undefined | false | readonly Value[]

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = strings.map((text, index) => text + (index < values.length ? render(values[index]) : ''))
  return new Html(parts.join(''))
}

function render(value: Value): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  return escapeHtml(String(value))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? character)
}

/** Renders text from the declarations: text in backticks becomes code. */
export function prose(text: string): Html {
  return new Html(escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>'))
}
