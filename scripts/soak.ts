import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/**
 * Runs the randomized tests with many more seeds than `npm test` has time for: `npm run soak -- <seeds>
 * <part>`, or `npm run soak -- <part>`. The comparisons with the oracle are single tests and take longest, so their seeds are split among
 * processes, one per core, each with its own random seeds. The other tests are many files, which vitest
 * distributes itself.
 */
const given = process.argv.slice(2)
// `npm run soak -- ha` takes the part's usual number.
const [asked = '100000', only] = Number.isNaN(Number(given[0] ?? 1)) ? [undefined, ...given] : given
const seeds = Number(asked)
const oracle = 'packages/core/test/oracle.test.ts'
const calendars = 'packages/core/test/calendars.test.ts'
const modes = ['doors', 'modes', 'changes'].map(name => `packages/core/test/${name}.test.ts`)
const races = [
  'test/delivery/crash.test.ts',
  'test/faults/stale-answers.test.ts',
  'test/faults/dropped-answers.test.ts',
  'test/faults/expiry.test.ts',
]

/** Of these a few repetitions are too few. */
const erasures = ['test/privacy/erasure-crash.test.ts', 'test/privacy/erasure-devices.test.ts']

const long = [
  'test/faults/start.test.ts',
  'test/faults/privileges.test.ts',
  'test/faults/disk-full.test.ts',
  'test/faults/feed.test.ts',
  'test/delivery/fairness.test.ts',
  'test/delivery/large-events.test.ts',
  'test/delivery/retries.test.ts',
  'test/audit/attacks.test.ts',
  'test/imports/bounds.test.ts',
  'test/privacy',
  'test/backup/folder-faults.test.ts',
  'test/backup/logical.test.ts',
  'test/oauth/attacks.test.ts',
  'test/oauth/users.test.ts',
  'test/stream/export.test.ts',
  'test/stream/restored.test.ts',
  'packages/cli/test/keys-rotate.test.ts',
  'packages/server/test/embedded.test.ts',
  'packages/server/test/reference-answers.test.ts',
  'packages/edge/test/power-loss.test.ts',
]

const parts: Record<string, () => Promise<boolean>> = {
  others: () => runTests(seeds, ['properties', 'packages/core', ...without(oracle, calendars, ...modes)]),
  oracle: () => splitSeeds(oracle),
  // A seed is some 75 questions about special days: 27,000 seeds are two million, and 120 cases of a thousand
  // questions to the service, a virtual device, a controller process and a browser, twice.
  calendars: async () =>
    (await splitSeeds(calendars)) && runTests(Math.ceil(seeds / 225), ['test/devices/same-answers.test.ts']),
  // A seed is a building of doors with unlock rules, overrides and emergencies, which takes up to two seconds.
  modes: () => runTests(only === 'modes' ? seeds : Math.ceil(seeds / 50), modes),
  // A seed is a device that is lost together with all others.
  storm: () => runTests(only === 'storm' && given.length > 1 ? seeds : 10_000, ['test/alarms/storm.test.ts']),
  // A seed is one statement. `GATEHOUSE_BARE=true` also tests the bare driver, which loses some.
  overload: () => runTests(seeds, ['test/faults/overload.test.ts']),
  // A seed is a kill of the only process while it imports, changes and exports members, and while it erases one.
  jobs: () =>
    runTests(only === 'jobs' && given.length > 1 ? seeds : 30, [
      'test/jobs/kills.test.ts',
      'test/privacy/killed.test.ts',
    ]),
  // A seed is a controller, and then the service, that is killed around an alarm, which takes seconds.
  kills: () =>
    runTests(only === 'kills' && given.length > 1 ? seeds : 100, [
      'test/alarms/kills.test.ts',
      'test/alarms/service-kills.test.ts',
    ]),
  // The service and its database go away under 500 controllers.
  restarts: () => runTests(1, ['test/alarms/restarts.test.ts']),
  // A week of a building in simulated time, and how many messages people got.
  'alarm-week': () => runTests(1, ['test/alarms/week']),
  // A seed is a whole building for a night, not a single question: a thousand, unless another number is asked for.
  simulation: () =>
    runTests(only === 'simulation' && given.length > 1 ? seeds : Math.min(1000, seeds), ['test/simulation']),
  // A seed is a file of members: imported and done by requests, and exported and imported again. Then come one that LibreOffice
  // has saved, a large one, and one of 2,000 members who have a door.
  imports: async () =>
    (await runTests(only === 'imports' && given.length > 1 ? seeds : 100, [
      'test/imports/same-as-requests.test.ts',
      'test/imports/round-trip.test.ts',
    ])) &&
    runTests(2000, [
      'test/imports/libreoffice.test.ts',
      'test/imports/large.test.ts',
      'test/imports/doors.test.ts',
    ]),
  // A seed is two members of a file, one with a generated and one with a given PIN.
  secrets: () =>
    runTests(only === 'secrets' && given.length > 1 ? seeds : 10_000, ['test/imports/secrets.test.ts']),
  // A seed is an event of a member that a controller tells too late, and a moment at which an erasure is killed.
  erasures: () => runTests(only === 'erasures' && given.length > 1 ? seeds : 500, erasures),
  // A seed is a member and an address that somebody guesses to be those of an erased event.
  guesses: () =>
    runTests(only === 'guesses' && given.length > 1 ? seeds : 1_000_000, ['test/audit/amendments.test.ts']),
  // The number is in minutes.
  fuzz: () => runTests(1, ['test/fuzz'], { GATEHOUSE_FUZZ_MINUTES: only === 'fuzz' ? asked : '20' }),
  // A seed is a crash of PostgreSQL, which takes seconds.
  crashes: () =>
    runTests(only === 'crashes' ? seeds : Math.ceil(seeds / 500), [
      'test/faults/reused-ids.test.ts',
      'test/faults/crash.test.ts',
    ]),
  // A seed is a minute of a year, in each of three zones, at which a check must answer what the preview shows.
  preview: () =>
    runTests(only === 'preview' && given.length > 1 ? seeds : 10_000, ['test/stories/special-days.test.ts']),
  // Every minute of three weeks.
  weeks: () => runTests(1, ['test/devices/holiday-weeks.test.ts']),
  // A seed is a change that others race with: an event, a request, a member that is due.
  races: () => runTests(only === 'races' ? seeds : Math.ceil(seeds / 50), races),
  // A seed is a row with many readers: an event of a stream, a member of a list.
  readers: () =>
    runTests(only === 'readers' ? seeds : Math.ceil(seeds / 5), [
      'test/stream/resume.test.ts',
      'test/faults/paging.test.ts',
    ]),
  // A seed is a conversation with a database that sends corrupted responses. Also signs in to Debian's
  // release.
  wire: () =>
    runTests(only === 'wire' ? seeds : Math.ceil(seeds / 50), ['garbled-answers.test.ts', 'sign-in.test.ts']),
  // The last release and this version on one database. A seed is an event in it.
  upgrade: () => runTests(only === 'upgrade' ? seeds : 10 * seeds, ['test/upgrade/side-by-side.test.ts']),
  // A seed is a start that is killed while it converts the database of an earlier PostgreSQL.
  conversion: () => runTests(only === 'conversion' ? seeds : 20, ['test/upgrade/postgres-major.test.ts']),
  // A seed is a device that stays connected over a renewal; 200 of them in a service whose time is moved.
  tls: () => runTests(only === 'tls' ? seeds : Math.ceil(seeds / 100), ['test/tls']),
  // A seed is a backup and a restore that are killed. Then eight clients write for some minutes, and
  // a mistake of all is undone.
  backup: () =>
    runTests(only === 'backup' ? seeds : 20, ['test/backup/soak.test.ts'], {
      GATEHOUSE_BACKUP_MINUTES: process.env.GATEHOUSE_BACKUP_MINUTES ?? '10',
    }),
  // A seed is an export and an import that are killed. Then 100,000 members and 1,000,000 events move.
  move: () => runTests(only === 'move' && given.length > 1 ? seeds : 20, ['test/moving/soak.test.ts']),
  // What `npm test` leaves out because it starts whole services, or writes much.
  long: () => runTests(1, [...long, ...without(...erasures)]),
  // The flows of the console at both widths.
  browser: () => runTests(1, ['test/browser']),
  // A seed is a primary that is killed, which takes half a minute, first directly and then through PgBouncer.
  ha: () => runTests(only === 'ha' && given.length > 1 ? seeds : 10, ['test/ha']),
  // Builds everything that is published, and installs it in each way. A seed is an upgrade that is killed.
  release: async () =>
    (await runProgram('node', ['scripts/release.ts'])) &&
    (await runTests(only === 'release' && given.length > 1 ? seeds : 20, ['test/release', '--maxWorkers=1'], {
      GATEHOUSE_RELEASE: 'true',
    })),
  // Restores of services that are killed, in processes of their own.
  restores: () => runTests(1, ['test/recovery']),
  // A seed is a member of the one large tenant.
  neighbours: () => runTests(only === 'neighbours' ? seeds : Math.ceil(seeds / 20), ['test/neighbours']),
}

function without(...files: readonly string[]): string[] {
  return files.flatMap(file => ['--exclude', file])
}

async function splitSeeds(file: string): Promise<boolean> {
  const cores = availableParallelism()
  const share = Math.ceil(seeds / cores)
  const results = await Promise.all(Array.from({ length: cores }, () => runTests(share, [file])))
  return results.every(Boolean)
}

function runTests(count: number, args: readonly string[], more: object = {}): Promise<boolean> {
  return runProgram('vitest', ['run', '--testTimeout=360000000', ...args], {
    GATEHOUSE_SEEDS: String(count),
    ...more,
  })
}

async function runProgram(name: string, args: readonly string[], more: object = {}): Promise<boolean> {
  const child = spawn(name, args, { stdio: 'inherit', env: { ...process.env, ...more } })
  const [status] = await once(child, 'exit')
  return status === 0
}

if (!(seeds > 0)) throw new Error(`not a number of seeds: ${asked}`)
if (only !== undefined && !(only in parts))
  throw new Error(`there is no part ${only}; there are ${Object.keys(parts).join(', ')}`)
for (const [name, run] of Object.entries(parts))
  if ((only ?? name) === name && !(await run())) process.exitCode = 1
