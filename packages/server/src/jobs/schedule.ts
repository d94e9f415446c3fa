import { setTimeout as sleep } from 'node:timers/promises'
import { writeCheckpoint } from '../audit/checkpoint.ts'
import type { Context } from '../context.ts'
import { sendInvitations } from '../services/guest-invitations.ts'
import { cleanUp } from './clean-up.ts'
import { expireMembers } from './expire-members.ts'
import { purgeOrganizations } from './purge-organizations.ts'

const hour = 3600

/** Runs the jobs of this process until it is disposed of. A failed run is logged and tried again at its next time. */
export function startJobs(context: Context): AsyncDisposable {
  const end = new AbortController()
  const loops = [
    repeat(context, 'expire members', 1000, end.signal, () => expireMembers(context)),
    repeat(context, 'send invitations', 1000, end.signal, () => sendInvitations(context)),
    repeat(context, 'clean up', 600_000, end.signal, () => cleanUp(context)),
    repeat(context, 'checkpoint', 60_000, end.signal, () => writeCheckpoint(context, hour)),
    repeat(context, 'purge organizations', 3_600_000, end.signal, () => purgeOrganizations(context)),
  ]
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      await Promise.all(loops)
    },
  }
}

async function repeat(
  context: Context,
  name: string,
  interval: number,
  signal: AbortSignal,
  run: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    await run().catch(error => context.log.error({ err: error }, `job failed: ${name}`))
    await sleep(interval, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
