import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { isAway } from '../database/away.ts'
import type { Database } from '../database/db.ts'
import { messageOf } from '../flow/failures.ts'
import { pause, type Timers } from '../flow/timers.ts'
import type { BackupHealth } from '../monitoring/backup-health.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { InstanceAlarms } from '../operator/instance-alarms.ts'
import { BackupBusyError, BackupError } from './archive/backup-error.ts'
import type { Manifest } from './archive/manifest.ts'
import { recoveryKeyId } from './archive/recovery-key.ts'
import { listBackups, listLine } from './folder/backup-folder.ts'
import { findRanges } from './folder/coverage.ts'
import { Hook } from './folder/hook.ts'
import { segmentSize } from './folder/lsn.ts'
import { changeState, readNote, readState } from './folder/own-files.ts'
import { giveUpLog } from './give-up.ts'
import { makeBackupApart } from './make-apart.ts'
import { kindFor, readersFor, useFolder } from './make-backup.ts'
import { archiveLog } from './physical/archiver.ts'
import { usualPace } from './physical/pace.ts'
import { findLogPlace } from './physical/slot.ts'
import { pruneBackups } from './prune.ts'
import { chooseJitter, isBaseDue, isDrillDue } from './schedule.ts'
import { runDrill } from './verify/drill.ts'
import { findLastDrill } from './verify/marks.ts'
import { BackupWatch } from './watch.ts'

export interface BackupContext {
  readonly config: Config
  readonly db: Database
  readonly log: Logger
  readonly metrics: Metrics
  readonly backup_health: BackupHealth
  readonly instance_alarms: InstanceAlarms
  readonly timers: Timers
}

export interface BackupTimes {
  /** Milliseconds between two pieces of the log: with the time to write one, less than a minute. */
  readonly archive?: number
  /** Milliseconds between two looks at how much log waits: a full file of it is archived at once. */
  readonly glance?: number
  /** Milliseconds between two looks at what is due. */
  readonly look?: number
  /** Milliseconds after a failure before the next backup is tried. */
  readonly retry?: number
  /** Bytes of log that may wait for the folder. Defaults to a fifth of the disk. */
  readonly most_kept?: number
  /** Milliseconds after which a backup that everything else goes before is given up. */
  readonly patience?: number
  /** False: backups are restored for a trial only when that is asked for. */
  readonly drills?: boolean
  /** False: backups do not wait until nothing else wants the processors. */
  readonly gives_way?: boolean
}

const usual = {
  archive: 30_000,
  glance: 2000,
  look: 60_000,
  retry: 900_000,
  patience: 6 * 3_600_000,
  drills: true,
  gives_way: true,
}
const longestGoodbye = 2500

/** Makes the backups of a service: archives the log, and makes, tries and prunes backups when that is due. */
export class Backups implements AsyncDisposable {
  readonly watch: BackupWatch
  readonly #context: BackupContext
  readonly #times: BackupTimes & typeof usual
  readonly #hook: Hook
  readonly #end = new AbortController()
  readonly #jitter = chooseJitter()
  readonly #isPhysical: boolean
  #loops: Promise<unknown> = Promise.resolve()
  #retryAt = 0
  /** After a failure the next backup does not: on a busy machine it might never end. */
  #givesWay: boolean

  constructor(context: BackupContext, times: BackupTimes = {}) {
    this.#context = context
    this.#times = { ...usual, ...times }
    this.#givesWay = this.#times.gives_way
    this.#hook = new Hook(context.config.backup_hook, context.log)
    this.#isPhysical = kindFor(context.config) === 'physical'
    const kinds = this.#isPhysical ? (['base', 'wal', 'drill'] as const) : (['base', 'drill'] as const)
    this.watch = new BackupWatch(context.log, context.metrics, kinds, context.instance_alarms)
    context.backup_health.follow(() => this.watch.tell())
  }

  start(): void {
    this.#loops = this.#run()
  }

  /** The first backup waits for the line of the log that continues it. */
  async #run(): Promise<void> {
    if (this.#isPhysical) await this.archive()
    await Promise.all([
      ...(this.#isPhysical
        ? [
            this.#repeat(
              () => this.archive(),
              () => this.#waitForLog(),
            ),
          ]
        : []),
      this.#repeat(
        () => this.look(),
        () => this.#pause(this.#times.look),
      ),
    ])
  }

  async #repeat(run: () => Promise<void>, rest: () => Promise<void>): Promise<void> {
    while (!this.#end.signal.aborted) {
      await run().catch(error => this.#context.log.warn({ err: error }, 'backups could not be looked after'))
      await rest()
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return pause(this.#context.timers, milliseconds, this.#end.signal)
  }

  /** Waits until it is time, or until a full file of the log waits. A folder that fails is not hurried. */
  async #waitForLog(): Promise<void> {
    const { timers, db } = this.#context
    const end = timers.elapsed() + this.#times.archive
    const left = () => Math.min(this.#times.glance, end - timers.elapsed())
    for (let wait = left(); !this.#end.signal.aborted && wait > 0; wait = left()) {
      await this.#pause(wait)
      if (this.watch.alarmOf('wal') !== undefined) continue
      const place = await findLogPlace(db).catch(() => undefined)
      if (place && place.kept_bytes >= Number(segmentSize)) return
    }
  }

  /** Archives the log. A folder that fails stops nothing: PostgreSQL keeps the log, up to a limit. */
  async archive(): Promise<void> {
    const { config, db } = this.#context
    const { data_dir } = config
    try {
      const readers = readersFor(config)
      const folder = await useFolder(config)
      const line = await archiveLog({ db, data_dir, folder, readers, onFile: path => this.#hook.tell(path) })
      this.watch.done('wal', line.until > line.began_at ? line.until : line.began_at)
    } catch (error) {
      if (isAway(error)) return this.watch.look()
      this.watch.failed('wal', messageOf(error))
      if (await giveUpLog(db, data_dir, messageOf(error), this.#times.most_kept))
        this.watch.failed('wal', `the log was given up, because the backup folder fails: ${messageOf(error)}`)
    }
  }

  /** Does what is due. */
  async look(): Promise<void> {
    const { data_dir } = this.#context.config
    const { folder, drill: own } = await readState(data_dir)
    if (folder) this.watch.begin(folder.since)
    const drill = await findLastDrill(folder?.path, own)
    if (drill?.error) this.watch.failed('drill', drill.error)
    else if (drill) this.watch.done('drill', drill.at)
    if (Date.now() < this.#retryAt) return this.watch.look()
    const newest = await this.#backUpIfDue()
    if (newest && this.#times.drills && isDrillDue(drill, new Date())) await this.#drill()
    this.watch.look()
  }

  async #backUpIfDue(): Promise<Manifest | undefined> {
    const { config, log } = this.#context
    try {
      const folder = await useFolder(config)
      const newest = await this.#findNewest(folder)
      if (newest) this.watch.knows('base', newest.finished_at)
      const reason = await this.#whyDue(folder, newest)
      if (reason === undefined) {
        if (newest) this.watch.done('base', newest.finished_at)
        return newest
      }
      log.info({ reason }, 'making a backup')
      const made = await this.#backUp()
      this.#givesWay = this.#times.gives_way
      this.watch.done('base', made.finished_at)
      await changeState(config.data_dir, { broken: undefined })
      log.info({ id: made.id, bytes: made.archive.bytes }, 'a backup was made')
      await pruneBackups(folder)
      return made
    } catch (error) {
      if (this.#end.signal.aborted || error instanceof BackupBusyError) return undefined
      this.#givesWay = false
      this.#retryAt = Date.now() + this.#times.retry
      this.watch.failed('base', messageOf(error))
      return undefined
    }
  }

  async #backUp(): Promise<Manifest> {
    const { patience } = this.#times
    const late = AbortSignal.timeout(patience)
    const signal = this.#givesWay ? AbortSignal.any([this.#end.signal, late]) : this.#end.signal
    const onFile = (path: string) => this.#hook.tell(path)
    const making = makeBackupApart(this.#context.config, { gives_way: this.#givesWay, signal, onFile })
    return making.catch(error => {
      throw late.aborted ? new BackupError(tooBusy(patience)) : error
    })
  }

  async #findNewest(folder: string): Promise<Manifest | undefined> {
    const kind = kindFor(this.#context.config)
    return (await listBackups(folder)).backups.findLast(backup => backup.kind === kind)
  }

  /** A backup is due daily, and at once where the newest one cannot be continued. */
  async #whyDue(folder: string, newest: Manifest | undefined): Promise<string | undefined> {
    const { config } = this.#context
    if (!newest) return 'there is none'
    const { recovery_key } = readersFor(config)
    if (recovery_key && newest.recovery_key !== recoveryKeyId(recovery_key))
      return 'there is a new recovery key'
    if (isBaseDue(new Date(newest.began_at), new Date(), this.#jitter)) return 'it is time'
    const line = this.#isPhysical ? await readNote(config.data_dir, 'line') : undefined
    if (!line) return undefined
    if (newest.wal?.line !== line.id) return 'a new line of the log has begun'
    const [range] = findRanges([newest], new Map([[line.id, await listLine(folder, line.id)]]))
    return range?.hole
  }

  async #drill(): Promise<void> {
    const { config, log } = this.#context
    const { data_dir, secret_keys, run_as } = config
    try {
      const folder = await useFolder(config)
      const { signal } = this.#end
      const drill = await runDrill({ folder, data_dir, secret_keys, run_as, signal, pace: usualPace })
      if (drill.error !== null) return signal.aborted ? undefined : this.watch.failed('drill', drill.error)
      this.watch.done('drill', drill.at)
      log.info({ id: drill.id, reached: drill.reached }, 'a backup was restored for a trial')
    } catch (error) {
      // Without room for it, the drill waits; the alarm comes with its age.
      log.info({ reason: messageOf(error) }, 'no backup was restored for a trial')
    }
  }

  /** Ends what runs, and archives the last of the log. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await atMost(longestGoodbye, this.#loops)
    if (this.#isPhysical) await atMost(longestGoodbye, this.archive())
  }
}

function tooBusy(patience: number): string {
  return `The machine was too busy for a backup within ${patience / 3_600_000} hours: the next one does not wait for others.`
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, milliseconds)
  await Promise.race([work.catch(() => undefined), late.promise]).finally(() => clearTimeout(timer))
}
