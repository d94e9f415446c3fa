/** Text that is HTML already. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Content = Markup | string | number | undefined | readonly Content[]

/** A template whose values are escaped, unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...values.map(toText)))
}

function toText(content: Content): string {
  if (content === undefined) return ''
  if (content instanceof Markup) return content.text
  return Array.isArray(content) ? content.map(toText).join('') : escapeText(String(content))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] as string)
}

/** A sentence of the declarations: what stands in backticks becomes code. */
export function prose(text: string): Markup {
  return new Markup(escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>'))
}
