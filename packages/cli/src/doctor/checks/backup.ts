import { type Check, failure, skipped, warning, well } from '../check.ts'
import { describeBackups } from '../describe-backups.ts'

const hour = 3600

export const backup: Check = {
  id: 'backup',
  async look({ config }) {
    const found = await describeBackups(config)
    if (found === undefined)
      return warning('No backup folder is set.', 'Set GATEHOUSE_BACKUP_DIR to a folder on another disk.')
    const { newest, broken, wal_lag_seconds } = found
    const advice = 'Run gatehouse backup now, and look at the log of the service.'
    if (!newest) return failure('There is no backup yet.', advice)
    if (broken) return failure(`The archive is broken since ${broken.at}: ${broken.reason}.`, advice)
    if (newest.age_seconds > 36 * hour)
      return failure(`The newest backup is ${Math.round(newest.age_seconds / hour)} hours old.`, advice)
    if ((wal_lag_seconds ?? 0) > 600)
      return failure(`The archive is ${wal_lag_seconds} s behind the database.`, advice)
    return well(`The newest backup, ${newest.id}, is ${Math.round(newest.age_seconds / hour)} hours old.`)
  },
}

const day = 24 * hour

export const drill: Check = {
  id: 'drill',
  async look({ config }) {
    const found = await describeBackups(config)
    if (found === undefined) return skipped('There are no backups to restore.')
    const advice = 'Run gatehouse backup verify --drill.'
    if (found.drill === null) return warning('No backup was ever restored to try it.', advice)
    if (found.drill.error !== null) return failure(`The last drill failed: ${found.drill.error}.`, advice)
    const days = Math.floor((Date.now() - Date.parse(found.drill.at)) / 1000 / day)
    return days > 14
      ? warning(`The last drill was ${days} days ago.`, advice)
      : well(`A backup was restored on trial ${days} days ago.`)
  },
}
