import type { ItemOf } from '../data/collections.ts'

type Part = { readonly id: string; readonly name: string }
interface Gadget {
  readonly id: string
  readonly name: string
  readonly is_deleted: boolean
  readonly actions: readonly Part[]
  readonly states: readonly Part[]
  readonly signals: readonly Part[]
  readonly door?: {
    readonly hold_action_id?: string | null
    readonly secure_action_id?: string | null
  } | null
}

export type Trigger = ItemOf<'gadget_triggers'> & {
  readonly site?: { readonly name: string }
  readonly source_gadget?: Gadget
  readonly source_schedule?: { readonly id: string; readonly name: string; readonly is_deleted: boolean }
  readonly target_gadget?: Gadget
}

export const triggerExpands = ['site', 'source_gadget', 'source_schedule', 'target_gadget']

export function nameOf(parts: readonly Part[] | undefined, id: string | null | undefined): string {
  return parts?.find(part => part.id === id)?.name ?? id ?? '–'
}
