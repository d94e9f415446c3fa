import { tendAlarms } from '../alarms/tend-alarms.ts'
import { writeCheckpoint } from '../audit/checkpoint.ts'
import { closeVirtualDoors, tickVirtualDevices } from '../devices/virtual/schedules.ts'
import { pause } from '../flow/timers.ts'
import { tellOperator } from '../operator/tell-operator.ts'
import { writeLedger } from '../recovery/ledger/write-ledger.ts'
import { tendStays } from '../services/access/tend-stays.ts'
import { refreshCalendars } from '../services/calendars/refresh-calendars.ts'
import { forgetArrivals } from '../services/doors/forget-arrivals.ts'
import { tendEmergencies } from '../services/doors/tend-emergencies.ts'
import { tendOverrides, tendTurnedOverrides } from '../services/doors/tend-overrides.ts'
import { tendErasures } from '../services/erasures/tend-erasures.ts'
import { sendInvitations } from '../services/guests/invitations.ts'
import { tendJobs } from '../services/jobs/tend-jobs.ts'
import type { Context } from '../services/objects/context.ts'
import { endSuspensions } from '../services/objects/suspension.ts'
import { runRetention } from '../services/privacy/retention/run.ts'
import { sendWeeklyReports } from '../services/reports/weekly.ts'
import { finishMigrations } from '../store/migration/migrate.ts'
import { settleZones } from '../zones/settle-zones.ts'
import { cleanUp } from './clean-up.ts'
import { completeIndexes } from './complete-indexes.ts'
import { discardImports } from './discard-imports.ts'
import { expireMembers } from './expire-members.ts'
import { purgeOrganizations } from './purge-organizations.ts'

const hour = 3600

interface Job {
  readonly name: string
  /** Milliseconds between the end of a run and the next run. */
  readonly interval: number
  /** How many runs may go on at once: they wait for servers of customers. One if omitted. */
  readonly at_once?: number
  /** Whether it also runs while the service is recovered. The others would change or send something. */
  readonly is_harmless?: true
  /** The signal aborts when the service stops: for runs that may take minutes. */
  run(context: Context, signal: AbortSignal): Promise<unknown>
}

export const jobs: readonly Job[] = [
  { name: 'expire members', interval: 1000, run: expireMembers },
  { name: 'suspensions', interval: 1000, run: endSuspensions },
  { name: 'erasures', interval: 500, run: tendErasures },
  { name: 'send invitations', interval: 1000, run: sendInvitations },
  { name: 'weekly reports', interval: 60_000, run: sendWeeklyReports },
  { name: 'refresh calendars', interval: 1000, at_once: 4, run: refreshCalendars },
  { name: 'emergencies', interval: 1000, run: tendEmergencies },
  { name: 'alarms', interval: 1000, run: tendAlarms },
  { name: 'stays', interval: 5000, run: tendStays },
  { name: 'overrides', interval: 5000, run: tendOverrides },
  { name: 'overrides until a turn', interval: 60_000, run: tendTurnedOverrides },
  { name: 'jobs', interval: 10_000, run: tendJobs },
  { name: 'forget arrivals', interval: 3_600_000, run: forgetArrivals },
  { name: 'clean up', interval: 600_000, is_harmless: true, run: cleanUp },
  { name: 'virtual devices', interval: 5000, is_harmless: true, run: tickVirtualDevices },
  { name: 'virtual doors', interval: 1000, is_harmless: true, run: closeVirtualDoors },
  { name: 'checkpoint', interval: 60_000, run: context => writeCheckpoint(context, hour) },
  { name: 'finish migrations', interval: 60_000, run: ({ db, clock }) => finishMigrations(db, clock.now()) },
  { name: 'complete indexes', interval: 600_000, is_harmless: true, run: completeIndexes },
  {
    name: 'certificates',
    interval: 10_000,
    is_harmless: true,
    run: async ({ certificates }) => certificates?.refresh(),
  },
  { name: 'tell the operator', interval: 5000, run: tellOperator },
  { name: 'ledger', interval: 60_000, is_harmless: true, run: writeLedger },
  { name: 'zones', interval: 600_000, is_harmless: true, run: settleZones },
  { name: 'retention', interval: 600_000, run: runRetention },
  { name: 'discard imports', interval: 600_000, run: discardImports },
  { name: 'purge organizations', interval: 3_600_000, run: purgeOrganizations },
]

/** Runs the jobs of this process until disposed. A failed run is logged and retried after the interval. */
export function startJobs(context: Context): AsyncDisposable {
  const end = new AbortController()
  const loops = jobs.flatMap(job =>
    Array.from({ length: job.at_once ?? 1 }, () => repeat(context, job, end.signal)),
  )
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      await Promise.all(loops)
    },
  }
}

/** Milliseconds. Jobs that run so rarely begin a moment later than the others, which the first requests need. */
const unhurried = 60_000
const headStart = 2000

async function repeat(context: Context, job: Job, signal: AbortSignal): Promise<void> {
  const { name, interval, run } = job
  if (interval >= unhurried) await pause(context.timers, headStart, signal)
  while (!signal.aborted) {
    if (job.is_harmless || !context.recovery.is_on)
      await run(context, signal).catch(error => context.log.error({ err: error }, `job failed: ${name}`))
    await pause(context.timers, interval, signal)
  }
}
