import { resources } from '@gatehouse-access/api'
import type { World } from '@gatehouse-access/testkit'
import type { Database } from '../../packages/server/src/database/db.ts'
import { insertNew } from '../../packages/server/src/services/objects/new-object.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { newId } from '../../packages/server/src/store/ids.ts'

type Context = World['server']['context']

interface Places {
  readonly site: string
  readonly device: string
  readonly gadget: string
}

/** Creates what nobody creates over HTTP: a user of the organization, an alarm, and what was told of it. */
export async function plantAlarms(context: Context, organization_id: string, places: Places) {
  const { clock, db } = context
  const now = clock.now()
  const user = newId('user', now)
  await db.query('INSERT INTO users (id, email, email_key, created_at) VALUES ($1, $2, $2, $3)', [
    user,
    `${user}@example.com`,
    now,
  ])
  await db.query(
    `INSERT INTO organization_users (organization_id, user_id, role, created_at) VALUES ($1, $2, 'administrator', $3)`,
    [organization_id, user, now],
  )
  const alarm = await plantAlarm(context, organization_id, places)
  const notification = newId('notification', now)
  await db.query(
    `INSERT INTO notifications (id, organization_id, user_id, channel, alarm_id, reason, status, attempts, created_at)
     VALUES ($1, $2, $3, 'email', $4, 'opened', 'pending', '[]', $5)`,
    [notification, organization_id, user, alarm.id, now],
  )
  return { user, alarm: alarm.id, notification }
}

/** An alarm as the service opens it: a door that is held open. */
export function plantAlarm(
  context: Context,
  organization_id: string,
  { site, device, gadget }: Places,
  more: object = {},
  db: Database = context.db,
) {
  const now = context.clock.now()
  const work = { context, db, caller: serviceCaller(organization_id), now }
  return insertNew(work, resources.alarm, {
    type: 'door_held',
    severity: 'warning',
    site_id: site,
    device_id: device,
    gadget_id: gadget,
    started_at: now,
    last_occurred_at: now,
    condition_key: `door_held:${gadget}`,
    ...more,
  })
}
