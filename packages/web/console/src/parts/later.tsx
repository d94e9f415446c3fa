import { type ReactNode, useDeferredValue } from 'react'

/** Much of a screen at once: it follows the first moment, rendered in slices, so that the page answers meanwhile. */
export function Later({ children }: { children: ReactNode }) {
  const is_time = useDeferredValue(true, false)
  return is_time && children
}
