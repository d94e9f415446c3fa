import { useEffect } from 'react'
import type { Draft } from './draft.ts'

const unsaved = new Map<string, object>()

/** What was left unsaved under this id, in this window. */
export function keptDraft<V extends object>(id: string): V | undefined {
  return unsaved.get(id) as V | undefined
}

/** Leaving a page loses nothing: who comes back finds what was not saved. Only closing the window does, so the browser asks. */
export function useKeptDraft<V extends object>(id: string, { values, is_dirty }: Draft<V>): void {
  useEffect(() => {
    if (is_dirty) unsaved.set(id, values)
    else unsaved.delete(id)
  }, [id, values, is_dirty])
  useEffect(() => {
    if (!is_dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [is_dirty])
}
