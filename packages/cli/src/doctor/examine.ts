import { messageOf } from '@gatehouse-access/core'
import type { Check, Finding, Patient, Status } from './check.ts'
import { backup, drill } from './checks/backup.ts'
import { database, durability, feed, key, oldestTransaction, schema } from './checks/database.ts'
import { clock, disk } from './checks/machine.ts'
import { mail, push } from './checks/mail.ts'
import { certificate, plainPort, port, proxyHeaders, publicAddress } from './checks/network.ts'
import { timeZones } from './checks/zones.ts'

const checks: readonly Check[] = [
  port,
  plainPort,
  publicAddress,
  certificate,
  proxyHeaders,
  clock,
  disk,
  database,
  durability,
  schema,
  oldestTransaction,
  feed,
  timeZones,
  key,
  backup,
  drill,
  mail,
  push,
]

export interface Entry extends Finding {
  readonly id: string
}

/** Runs all checks at once. One that cannot be done is a finding too. */
export function examine(patient: Patient): Promise<Entry[]> {
  return Promise.all(
    checks.map(async check => {
      const found = await check.look(patient).catch(
        (error): Finding => ({
          status: 'failure',
          message: `The check itself failed: ${messageOf(error)}.`,
          advice: 'Report it.',
        }),
      )
      return { id: check.id, ...found }
    }),
  )
}

export function worstOf(entries: readonly Entry[]): Exclude<Status, 'skipped'> {
  const has = (status: Status) => entries.some(entry => entry.status === status)
  return has('failure') ? 'failure' : has('warning') ? 'warning' : 'ok'
}
