import { useEffect, useRef } from 'react'
import { useList } from '../data/use-list.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useLiveEvents } from '../live/live.tsx'

const touching = new Set(['emergency', 'gadget_mode'])
const gap = 400

/** Returns the emergencies that have not ended, newest first. */
export function useActiveEmergencies() {
  return useList('emergencies', { is_active: true, sort: 'started_at:desc', limit: 20 })
}

/**
 * Refetches emergencies soon after doors or people change them, sooner than other lists: whoever has started
 * one looks at the screen.
 */
export function useEmergencyPulse(): void {
  const refresh = useRefresh()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvents(events => {
    if (!events.some(({ object }) => touching.has(object.type))) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      refresh('emergencies')
    }, gap)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}
