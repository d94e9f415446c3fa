/** Converts PostgreSQL's UTC format `2026-11-14 09:30:00.1234+00` to `2026-11-14T09:30:00.123400Z`. */
export function formatStored(text: string): string {
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  if (text[19] !== '.') return `${seconds}.000000Z`
  const fraction = text.slice(20, text.indexOf('+', 20))
  return `${seconds}.${fraction.padEnd(6, '0')}Z`
}
