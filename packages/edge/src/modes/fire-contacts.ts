import type { SliceRow } from '@gatehouse-access/api'
import type { DoorMemory, LocalFire } from './door-memory.ts'

/** A fire contact that has changed. */
export interface FireChange {
  readonly site_id: string
  readonly state: 'on' | 'cleared'
  readonly fire: LocalFire
}

interface Seen {
  readonly sites: Iterable<SliceRow<'sites'>>
  readonly states: Readonly<Record<string, string>>
  readonly fires: DoorMemory['fires']
  readonly now: string
  readonly is_sure: boolean
  /** Whether the contact belongs to this device. */
  isOwn(gadget_id: string): boolean
}

/** Compares the contacts of this device with what is remembered. A fire is kept until somebody resets it. */
export function fireChanges({ sites, isOwn, ...seen }: Seen): FireChange[] {
  return [...sites].flatMap(({ id, fire }): FireChange[] => {
    const change = fire && isOwn(fire.source_gadget_id) ? changeOf(id, fire, seen) : null
    return change ? [change] : []
  })
}

type FireInput = NonNullable<SliceRow<'sites'>['fire']>

function changeOf(site_id: string, input: FireInput, seen: Omit<Seen, 'sites' | 'isOwn'>): FireChange | null {
  const known = seen.fires[site_id]
  const isOn = seen.states[input.source_gadget_id] === input.source_state_id
  if (isOn === (known?.contact === 'on')) return null
  const reset_before = input.reset_at ?? null
  const begun = known ?? { since: seen.now, is_sure: seen.is_sure, reset_before }
  if (isOn) return { site_id, state: 'on', fire: { ...begun, contact: 'on' } }
  // A reset while the contact was on does not count.
  return { site_id, state: 'cleared', fire: { ...begun, contact: 'cleared', reset_before } }
}
