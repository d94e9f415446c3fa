import type { ItemOf } from '../data/collections.ts'

export type Target = ItemOf<'notification_targets'>
