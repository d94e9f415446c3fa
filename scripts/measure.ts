import { countByFolder, findFaults } from './structure/faults.ts'
import { type Arrow, findCycles, longestChain } from './structure/graph.ts'
import { findUpward } from './structure/rooms.ts'
import { readSources, type Source } from './structure/sources.ts'

/** `npm run measure`: prints figures about the structure of the code base. */
const sources = readSources()

console.log(
  '| Package | Files | Lines | Casts | in 1,000 lines | File: median, p90, max | Function: median, p90, max |',
)
console.log('|---|---|---|---|---|---|---|')
for (const [name, files] of Map.groupBy(sources, source => source.package)) console.log(row(name, files))
console.log(row('all', sources))

const arrows: (Arrow & { is_type: boolean })[] = sources.flatMap(({ path, imports }) =>
  imports.map(({ to, is_type }) => ({ from: path, to, is_type })),
)
const cycles = findCycles(arrows)
const [largest] = countByFolder(sources).toSorted(([, one], [, other]) => other - one)
const [largestOfServer] = countByFolder(sources)
  .filter(([folder]) => folder.startsWith('packages/server/src'))
  .toSorted(([, one], [, other]) => other - one)

console.log(`
Folders: at most ${largest?.[1]} files (${largest?.[0]}); of the server ${largestOfServer?.[1]} (${largestOfServer?.[0]})
Cycles of imports: ${findCycles(arrows.filter(({ is_type }) => !is_type)).length} by value, ${cycles.length} with types
Imports that run upward: ${findUpward(sources).length}
Longest chain of imports: ${cycles.length === 0 ? longestChain(arrows) : 'endless'}`)
for (const fault of findFaults(sources)) console.log(`- ${fault}`)

function row(name: string, files: readonly Source[]): string {
  const lines = sum(files.map(file => file.lines))
  const casts = sum(files.map(file => file.casts))
  const cells = [
    name,
    files.length,
    lines,
    casts,
    ((1000 * casts) / lines).toFixed(1),
    spread(files.map(file => file.lines)),
    spread(files.flatMap(file => file.functions)),
  ]
  return `| ${cells.join(' | ')} |`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function spread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  return `${at(0.5)}, ${at(0.9)}, ${sorted.at(-1)}`
}
