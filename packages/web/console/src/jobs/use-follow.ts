import { useEffect } from 'react'
import { useRefresh } from '../data/use-refresh.ts'

const gap = 2000

/** Looks again and again at jobs while one is unfinished: their progress is no event. */
export function useFollow(is_unfinished: boolean): void {
  const refresh = useRefresh()
  useEffect(() => {
    if (!is_unfinished) return
    const timer = setInterval(() => refresh('jobs'), gap)
    return () => clearInterval(timer)
  }, [is_unfinished, refresh])
}
