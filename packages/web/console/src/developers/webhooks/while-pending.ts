import { useEffect } from 'react'
import type { Delivery } from '../applications/account-objects.ts'

/** Deliveries are no events, so the stream says nothing of them: ask again until none is on its way or due at once. */
export function useWhilePending(items: readonly Delivery[], refetch: () => void): void {
  const is_waiting = items.some(({ status }) => status === 'pending')
  useEffect(() => {
    if (!is_waiting) return
    const timer = setInterval(refetch, 1500)
    return () => clearInterval(timer)
  }, [is_waiting, refetch])
}
