import fc from 'fast-check'
import { seed } from './seed.ts'
import { isSoak } from './soak.ts'

/** Runs before the tests of a worker. Properties take this seed unless they name one. */
fc.configureGlobal({ seed })
if (isSoak) console.info(`GATEHOUSE_SEED=${seed} repeats this`)
