const element = /"((?:[^"\\]|\\.)*)"|[^,{}]+/gs

/** Parses PostgreSQL's text format of `text[]`. */
export function parseTextArray(text: string): (string | null)[] {
  return text === '{}' ? [] : Array.from(text.matchAll(element), readElement)
}

function readElement([plain = '', quoted]: readonly string[]): string | null {
  if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1')
  return plain === 'NULL' ? null : plain
}

export function formatTextArray(values: readonly (string | null)[]): string {
  return `{${values.map(value => (value === null ? 'NULL' : quote(value))).join(',')}}`
}

function quote(value: string): string {
  return `"${String(value).replace(/["\\]/g, '\\$&')}"`
}
