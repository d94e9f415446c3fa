import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { pause } from './retry.ts'
import type { WaitOptions } from './surface.ts'

type Job = ObjectOf<Resources['job']>
type Jobs = Record<string, Record<string, (...given: unknown[]) => unknown>>

/** Milliseconds. Short jobs are noticed at once, long ones ask little. */
const shortestWait = 250
const longestWait = 5000

/** Returns a method that asks for a job until it has ended. */
export function waitForJob(client: Jobs): (...given: unknown[]) => Promise<Job> {
  const get = client.jobs?.get as (id: string, options: object) => Promise<Job>
  return async (...given) => {
    const [id, { signal, onProgress } = {}] = given as [string, WaitOptions?]
    for (let wait = shortestWait; ; wait = Math.min(longestWait, wait * 1.5)) {
      const job = await get(id, signal ? { signal } : {})
      if (job.state !== 'queued' && job.state !== 'running') return job
      onProgress?.(job)
      await pause(wait, signal)
    }
  }
}
