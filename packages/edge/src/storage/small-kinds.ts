import { sliceKinds } from '@gatehouse/api'
import type { SmallKind } from './storage.ts'

/** What of a slice is small enough to be held in memory. */
export const smallKinds: readonly SmallKind[] = sliceKinds.filter(kind => kind !== 'members')
