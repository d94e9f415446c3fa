import { findCircles, findFaults } from './structure/faults.ts'
import { readOtherImports, readSources } from './structure/sources.ts'

/** Part of `npm test` and `npm run lint`: checks the order of the server's rooms and finds import cycles. */
const faults = [...findFaults(readSources()), ...findCircles(readOtherImports())]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
