import fc from 'fast-check'
import { waitPatiently } from './patient-waits.ts'
import { seed } from './seed.ts'
import { isSoak } from './soak.ts'

// Loaded once by each worker, before its first tests. Properties take this seed unless they name one.
fc.configureGlobal({ seed })
if (isSoak) console.info(`GATEHOUSE_SEED=${seed} repeats this`)
waitPatiently()
