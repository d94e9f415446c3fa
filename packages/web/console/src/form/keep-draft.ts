import { useEffect, useState } from 'react'
import type { Draft } from './draft.ts'

interface Unsaved {
  /** As JSON. */
  readonly base: string
  readonly values: object
}

const unsaved = new Map<string, Unsaved>()

/** What was left unsaved under this id, in this window; not when somebody has changed the object since. */
export function keptDraft<V extends object>(id: string, initial: V): V {
  const held = unsaved.get(id)
  return held?.base === JSON.stringify(initial) ? (held.values as V) : initial
}

interface Asked {
  readonly dataUpdatedAt: number
  refetch(): Promise<unknown>
}

/** What was left unsaved is laid only over what the service has now, not over what this window still remembers. */
export function useIsCurrent(id: string, { dataUpdatedAt, refetch }: Asked): boolean {
  const [begun, setBegun] = useState<{ readonly id: string; readonly at: number }>()
  useEffect(() => {
    const is_kept = unsaved.has(id)
    setBegun({ id, at: is_kept ? Date.now() : 0 })
    if (is_kept) void refetch()
  }, [id, refetch])
  return !unsaved.has(id) || (begun?.id === id && dataUpdatedAt >= begun.at)
}

/** It was saved, or the object is gone. */
export function forgetDraft(id: string): void {
  unsaved.delete(id)
}

/** Leaving a page loses nothing: who comes back finds what was not saved. Only closing the window does, so the browser asks. */
export function useKeptDraft<V extends object>(id: string, { base, values, is_dirty }: Draft<V>): void {
  useEffect(() => {
    if (is_dirty) unsaved.set(id, { base: JSON.stringify(base), values })
    else unsaved.delete(id)
  }, [id, base, values, is_dirty])
  useEffect(() => {
    if (!is_dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [is_dirty])
}
