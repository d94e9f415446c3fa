const usualRounds = 5

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

type Measures = Record<string, () => Promise<number>>

/** Takes all measurements in turn, several times, so that other load on the machine affects each equally. */
export async function measureInTurn<Names extends Measures>(
  measures: Names,
  rounds = usualRounds,
): Promise<Record<keyof Names, number[]>> {
  const taken = Object.fromEntries(Object.keys(measures).map(name => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++)
    for (const [name, measure] of Object.entries(measures)) taken[name]?.push(await measure())
  return taken as Record<keyof Names, number[]>
}

/** Returns the median of the ratios per round, because what slows a round slows both sides of it. */
export function medianRatio(values: readonly number[], baselines: readonly number[]): number {
  return median(values.map((value, round) => value / (baselines[round] ?? Number.NaN)))
}

export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map(row => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd : cell.padStart).call(cell, widths[column] ?? 0))
      .join('  ')
  console.log(`\n${title}\n\n${[head, ...rows].map(line).join('\n')}`)
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Returns a value, its bound, and whether it holds. */
export function judge(value: number, bound: number, kind: 'at least' | 'at most', digits = 2): string[] {
  const holds = kind === 'at least' ? value >= bound : value <= bound
  return [value.toFixed(digits), `${kind} ${bound}`, holds ? 'yes' : 'NO']
}
