import type { ItemOf } from '../data/collections.ts'

type Named = { readonly id: string; readonly name: string }

export type UnlockRule = ItemOf<'unlock_rules'> & {
  readonly site?: Named & { readonly timezone: string }
  readonly schedule?: Named
  readonly gadgets?: readonly Named[]
}

export const ruleExpands = ['site', 'schedule', 'gadgets']

export const beforeWords = {
  controlled: 'As always: members open it',
  closed: 'Closed for everybody else',
} as const
