import { type InstanceAlarm, listInstanceAlarms } from '@gatehouse-access/server'
import type { Input } from './command.ts'
import { formatTime } from './describe-alarm.ts'
import { openMigrated } from './instance.ts'
import { formatTable } from './table.ts'

/** Lists what was wrong with the installation itself, straight from its database: no organization can see it. */
export async function printInstanceAlarms({ env, flag, print }: Input, limit: number): Promise<void> {
  await using instance = await openMigrated(env)
  const found = await listInstanceAlarms(instance.db, { is_on: flag('open'), limit })
  if (flag('json')) for (const alarm of found) print(JSON.stringify(alarm))
  else print(formatTable(['ID', 'TYPE', 'REASON', 'WHERE', 'SINCE', 'ENDED', 'MESSAGE'], found.map(rowOf)))
}

function rowOf({ ended_at, id, message, place, reason, started_at, type }: InstanceAlarm): string[] {
  return [
    ...[id, type, reason, place, formatTime(started_at)],
    ...[ended_at === null ? '' : formatTime(ended_at), message],
  ]
}
