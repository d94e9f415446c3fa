import { type ReactNode, useDeferredValue } from 'react'

/**
 * Defers a large part of a screen until after the first paint. It renders in slices, so that the page stays
 * responsive.
 */
export function Later({ children }: { children: ReactNode }) {
  const is_time = useDeferredValue(true, false)
  return is_time && children
}
