import { useEffect } from 'react'
import type { Delivery } from '../applications/account-objects.ts'

/**
 * Polls while any delivery is pending. The stream does not report deliveries, because they are not events.
 */
export function useWhilePending(items: readonly Delivery[], refetch: () => void): void {
  const is_waiting = items.some(({ status }) => status === 'pending')
  useEffect(() => {
    if (!is_waiting) return
    const timer = setInterval(refetch, 1500)
    return () => clearInterval(timer)
  }, [is_waiting, refetch])
}
