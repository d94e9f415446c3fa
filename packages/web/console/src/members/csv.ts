/** Reads CSV as spreadsheets write it: quotes, doubled quotes, line breaks inside; comma or semicolon. */
export function parseCsv(text: string): string[][] {
  const separator = chooseSeparator(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let is_quoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.some(value => value.trim() !== '')) rows.push(row)
    row = []
  }
  const clean = text.replace(/^\uFEFF/, '')
  for (let at = 0; at < clean.length; at++) {
    const character = clean[at] as string
    if (is_quoted) {
      if (character !== '"') cell += character
      else if (clean[at + 1] === '"') cell += clean[++at]
      else is_quoted = false
    } else if (character === '"' && cell === '') is_quoted = true
    else if (character === separator) endCell()
    else if (character === '\n') endRow()
    else if (character !== '\r') cell += character
  }
  endRow()
  return rows
}

function chooseSeparator(text: string): string {
  const [first = ''] = text.split('\n', 1)
  return [',', ';', '\t'].reduce((best, one) =>
    first.split(one).length > first.split(best).length ? one : best,
  )
}

/** What a spreadsheet would take for a formula gets an apostrophe before it. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `${row.map(quote).join(',')}\r\n`).join('')
}

function quote(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
