import { messageOf } from '@gatehouse-access/core'
import { compareSchema, findKeyFault } from '@gatehouse-access/server'
import { askService } from '../../ask-service.ts'
import { readKeys } from '../../read-keys.ts'
import { type Check, failure, ofDatabase, skipped, warning, well } from '../check.ts'

export const database: Check = {
  id: 'database',
  async look({ db, config }) {
    if (!db)
      return failure(
        config.database_url
          ? 'The database of DATABASE_URL cannot be reached.'
          : `No database is running in ${config.data_dir}.`,
        config.database_url ? 'Check the address, the password and the firewall.' : 'Start the service.',
      )
    const [row] = await db.query<{ text: string; version: string }>(
      `SELECT current_setting('server_version') AS text, current_setting('server_version_num') AS version`,
    )
    if (Number(row?.version) >= 150_000) return well(`PostgreSQL ${row?.text} answers.`)
    return failure(`PostgreSQL ${row?.text} is too old.`, 'Use PostgreSQL 15 or newer.')
  },
}

const durable = ['fsync', 'synchronous_commit', 'full_page_writes'] as const

export const durability = ofDatabase('durability', async db => {
  const rows = await db.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY($1::text[])',
    [durable],
  )
  const off = rows.filter(({ setting }) => setting === 'off' || setting === 'local').map(({ name }) => name)
  if (off.length === 0)
    return well(`${durable.join(', ')} are on: what was acknowledged survives a power cut.`)
  return failure(
    `${off.join(', ')} ${off.length > 1 ? 'are' : 'is'} off: a power cut can lose what was acknowledged.`,
    `Turn ${off.join(', ')} on in postgresql.conf.`,
  )
})

export const schema = ofDatabase('schema', async db => {
  const { pending, newer } = await compareSchema(db)
  if (newer.length > 0)
    return failure(
      `The database was migrated by a newer version (${newer.at(-1)}).`,
      'Start that version, or restore a backup from before the upgrade.',
    )
  return pending.length === 0
    ? well('The schema is up to date.')
    : warning(
        `${pending.length} migrations are pending, from ${pending[0]}.`,
        'Restart the service with this version.',
      )
})

const minute = 60

export const oldestTransaction = ofDatabase('oldest_transaction', async db => {
  const [row] = await db.query<{ pid: number; seconds: number; application: string }>(
    `SELECT pid, extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds, application_name AS application
     FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid() ORDER BY xact_start LIMIT 1`,
  )
  const seconds = Math.round(row?.seconds ?? 0)
  if (seconds < 5 * minute) return well(`The oldest transaction is ${seconds} s old.`)
  return warning(
    `A transaction of ${row?.application || 'another program'} (pid ${row?.pid}) has been open for ${seconds} s: events wait for it.`,
    `End it: SELECT pg_terminate_backend(${row?.pid}).`,
  )
})

export const feed: Check = {
  id: 'feed',
  async look({ config }) {
    const answer = await askService(config, '/readyz').catch(messageOf)
    if (typeof answer === 'string' || answer.status !== 200) return skipped('The service is not ready.')
    const ready: {
      feed_lag_seconds?: number
      consumer_lag_seconds?: Record<string, number>
      audit_alarm?: string
    } = JSON.parse(answer.text)
    if (ready.feed_lag_seconds === undefined)
      return skipped('The service does not tell this address how it is.')
    if (ready.audit_alarm) return failure(`The audit chain: ${ready.audit_alarm}.`, 'See docs/audit.md.')
    const lags = { feed: ready.feed_lag_seconds, ...ready.consumer_lag_seconds }
    const late = Object.entries(lags).filter(([, seconds]) => seconds > minute)
    if (late.length === 0) return well('Events are delivered and sealed without delay.')
    return warning(
      `Behind: ${late.map(([name, seconds]) => `${name} by ${Math.round(seconds)} s`).join(', ')}.`,
      'Look for the oldest transaction, and for "begins again" in the log.',
    )
  },
}

export const key = ofDatabase('key', async (db, { input, config }) => {
  try {
    const keys = readKeys(input, { config })
    const fault = await findKeyFault(db, keys)
    return fault
      ? failure(fault, 'Restore the key from a backup.')
      : well('The service key is readable and fits the database.')
  } catch (error) {
    return failure(messageOf(error), 'Run this as root or as the account of the service, or restore the key.')
  }
})
