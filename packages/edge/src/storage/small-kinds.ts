import { sliceKinds } from '@gatehouse-access/api'
import type { SmallKind } from './storage.ts'

/** The row kinds of a slice that are small enough to hold in memory. */
export const smallKinds: readonly SmallKind[] = sliceKinds.filter(kind => kind !== 'members')
