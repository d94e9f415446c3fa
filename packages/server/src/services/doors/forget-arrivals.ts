import { fromMicroseconds, rememberedSince, type Steps, toMicroseconds } from '@gatehouse-access/core'
import { eachApart } from '../../flow/each-apart.ts'
import type { Context } from '../objects/context.ts'

interface Remembering {
  readonly organization_id: string
  readonly id: string
}

/** Forgets who came and left in periods that are over. It changes no mode, so there is no event. */
export async function forgetArrivals(context: Context): Promise<void> {
  const rules = await context.db.query<Remembering>(
    `SELECT organization_id, id FROM unlock_rules WHERE arrivals <> '[]' OR departures <> '[]' ORDER BY organization_id, id`,
  )
  const byOrganization = Map.groupBy(rules, ({ organization_id }) => organization_id)
  await eachApart([...byOrganization], ([id, own]) =>
    forget(
      context,
      id,
      own.map(rule => rule.id),
    ),
  )
}

async function forget(
  { clock, db, doors }: Context,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  const at = toMicroseconds(clock.now())
  const known = await doors.ask(organizationId, function* (policy): Steps<Map<string, number>> {
    const since = new Map<string, number>()
    for (const id of ids) {
      since.set(id, rememberedSince(policy, id, at))
      yield
    }
    return since
  })
  for (const [id, since] of known)
    if (since !== -Infinity) await forgetBefore(db, organizationId, id, Number.isFinite(since) ? since : at)
}

async function forgetBefore(
  db: Context['db'],
  organizationId: string,
  id: string,
  since: number,
): Promise<void> {
  const kept = (name: string) =>
    `coalesce((SELECT jsonb_agg(at ORDER BY at) FROM jsonb_array_elements_text(${name}) AS at WHERE at::timestamptz >= $3), '[]')`
  await db.query(
    `UPDATE unlock_rules SET arrivals = ${kept('arrivals')}, departures = ${kept('departures')} WHERE organization_id = $1 AND id = $2`,
    [organizationId, id, fromMicroseconds(since)],
  )
}
