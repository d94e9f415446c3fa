/** A node of a syntax tree, as the parser returns it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

export function* partsOf(node: Node): Generator<Node> {
  for (const value of Object.values(node))
    if (Array.isArray(value)) yield* value.filter(isNode)
    else if (isNode(value)) yield value
}

/** Whether a text has anything to translate. */
export function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text.replaceAll(/\{\w+\}/g, ''))
}

/** Returns the text between tags as React shows it: lines are trimmed, and joined by a space. */
export function cleanText(text: string): string {
  const lines = text.replaceAll('&nbsp;', '\u00a0').split(/\r\n|\n|\r/)
  return lines
    .map((line, index) => {
      const start = index === 0 ? line : line.replace(/^[ \t]+/, '')
      return index === lines.length - 1 ? start : start.replace(/[ \t]+$/, '')
    })
    .filter((line, index) => line !== '' || (lines.length === 1 && index === 0))
    .join(' ')
}
