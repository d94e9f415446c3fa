import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'

type Named = { readonly id: string; readonly name: string; readonly is_deleted: boolean }

export type UnlockRule = ItemOf<'unlock_rules'> & {
  readonly site?: Named & { readonly timezone: string }
  readonly schedule?: Named
  readonly gadgets?: readonly Named[]
}

export const ruleExpands = ['site', 'schedule', 'gadgets']

export const beforeWords = {
  controlled: t('As always: members open it'),
  closed: t('Closed for everybody else'),
} as const
