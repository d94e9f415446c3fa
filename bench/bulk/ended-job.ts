import { setTimeout as sleep } from 'node:timers/promises'
import type { createClient } from '../../packages/sdk/src/index.ts'

type Client = ReturnType<typeof createClient>

/** Returns a job once it has done its work, or throws. Asks twice a second: `jobs.wait` asks ever less often, which is too coarse to measure. */
export async function endedJob({ jobs }: Client, id: string): ReturnType<Client['jobs']['get']> {
  for (;;) {
    const job = await jobs.get(id)
    if (job.state === 'succeeded' || job.state === 'awaiting') return job
    if (job.state !== 'queued' && job.state !== 'running') throw new Error(`the job is ${job.state}`)
    await sleep(500)
  }
}
