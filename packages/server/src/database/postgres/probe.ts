import type { Connection } from './connection.ts'
import { ask } from './dial.ts'
import { closed } from './wire/errors.ts'

/**
 * Returns those silent connections whose backend is not working: the statement or its response was lost on
 * the way. That includes all connections to a server that the service has left. Behind a pooler nobody knows
 * which backend it is, so the statement timeout decides. The probe may become silent too, and is then dropped
 * after `patience` milliseconds.
 */
export async function findDead(
  probe: Connection,
  silent: readonly Connection[],
  patience: number,
): Promise<Connection[]> {
  const late = setTimeout(() => probe.lose(closed('it does not answer')), patience).unref()
  const rows = await ask(
    probe,
    `SELECT pid FROM pg_stat_activity WHERE pid IN (${silent.map(({ pid }) => Number(pid)).join()})
     AND (state = 'disabled' OR state <> 'idle' AND state NOT LIKE 'idle in transaction%'
       AND wait_event IS DISTINCT FROM 'ClientRead' AND wait_event IS DISTINCT FROM 'ClientWrite')`,
  ).finally(() => clearTimeout(late))
  const working = new Set([0, ...rows.map(({ pid }) => pid)])
  return silent.filter(({ pid, address }) => !working.has(pid) || address !== probe.address)
}
