import { findFaults } from './structure/faults.ts'
import { readSources } from './structure/sources.ts'

/** Part of `npm test` and `npm run lint`: the rooms of the server keep their order, and no file imports itself by way of others. */
const faults = findFaults(readSources())
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
