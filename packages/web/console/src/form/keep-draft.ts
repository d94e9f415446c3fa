import { useEffect, useState } from 'react'
import type { Draft } from './draft.ts'

interface Unsaved {
  /** The object before any edit, as JSON. */
  readonly base: string
  readonly values: object
}

const unsaved = new Map<string, Unsaved>()

/** Returns the values left unsaved under this id in this window, unless the object has changed since. */
export function keptDraft<V extends object>(id: string, initial: V): V {
  const held = unsaved.get(id)
  return held?.base === JSON.stringify(initial) ? (held.values as V) : initial
}

interface Asked {
  readonly dataUpdatedAt: number
  refetch(): Promise<unknown>
}

/**
 * Returns true once the object is fresh. A kept draft is applied only to the service's current state, not to
 * this window's cached copy, so the object is loaded again first.
 */
export function useIsCurrent(id: string, { dataUpdatedAt, refetch }: Asked): boolean {
  const [begun, setBegun] = useState<{ readonly id: string; readonly at: number }>()
  useEffect(() => {
    const is_kept = unsaved.has(id)
    setBegun({ id, at: is_kept ? Date.now() : 0 })
    if (is_kept) void refetch()
  }, [id, refetch])
  return !unsaved.has(id) || (begun?.id === id && dataUpdatedAt >= begun.at)
}

/** Call after the object was saved or deleted. */
export function forgetDraft(id: string): void {
  unsaved.delete(id)
}

/**
 * Keeps unsaved values when the user leaves the page, and restores them on return. Only closing the window
 * would lose them, so the browser asks first.
 */
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
