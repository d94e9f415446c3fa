/** Fills `{name}` in a text. */
export function fillGaps(text: string, gaps: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_gap, name) => String(gaps[name] ?? ''))
}
