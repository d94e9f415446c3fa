import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

const pause = 500
/** As many pauses in a row without a request. */
const quietFor = 3
/** It waits no longer than this: where events refresh a screen all the time, it is never quiet. */
const mostPauses = 20

/**
 * Loads a part of the console that may be needed later. It waits until the screen has its answers and has
 * drawn them, because a slow phone would draw them later.
 */
export function usePreload(load: () => Promise<unknown>): void {
  const client = useQueryClient()
  useEffect(() => {
    let [quiet, pauses] = [0, 0]
    const timer = setInterval(() => {
      quiet = client.isFetching() > 0 ? 0 : quiet + 1
      if (quiet < quietFor && ++pauses < mostPauses) return
      clearInterval(timer)
      // If it fails, it is loaded when it is needed, and the failure is shown there.
      load().catch(() => undefined)
    }, pause)
    return () => clearInterval(timer)
  }, [client, load])
}
