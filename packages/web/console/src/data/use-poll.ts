import { useEffect } from 'react'
import { useRefresh } from './use-refresh.ts'

/** Milliseconds between two looks, by the time since the first. */
const steps = [
  [20_000, 2000],
  [120_000, 10_000],
  [Number.POSITIVE_INFINITY, 60_000],
] as const

/**
 * Refetches collections while something is pending that no event announces, such as what a device confirms:
 * often at first, then less and less.
 */
export function usePoll(is_pending: boolean, ...plurals: readonly string[]): void {
  const refresh = useRefresh()
  const names = plurals.join()
  useEffect(() => {
    if (!is_pending) return
    const began = Date.now()
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      const gap = steps.find(([until]) => Date.now() - began < until)?.[1]
      timer = setTimeout(look, gap)
    }
    const look = () => {
      refresh(...names.split(','))
      wait()
    }
    wait()
    return () => clearTimeout(timer)
  }, [is_pending, names, refresh])
}
