/** A range of the code, and what takes its place. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies edits that do not overlap. */
export function applyEdits(code: string, edits: readonly Edit[]): string {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end)
  let [made, at] = ['', 0]
  for (const { start, end, text } of sorted) {
    if (start < at) throw new Error(`edits overlap at ${start}: ${code.slice(start, end)}`)
    made += code.slice(at, start) + text
    at = end
  }
  return made + code.slice(at)
}
