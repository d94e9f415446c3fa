import { resources } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { serviceCaller } from '../../store/caller.ts'
import { findObject } from '../../store/find.ts'
import { updateObject } from '../../store/write.ts'
import type { DeliveryContext } from './context.ts'
import type { LaneKey } from './lanes.ts'
import { tellDeveloper } from './notice.ts'

/** Seconds without an accepted delivery after which a webhook is disabled. */
export const patience = 5 * 24 * 3600

export function hasFailedTooLong(failingSince: string | null, now: string): boolean {
  return failingSince !== null && addSeconds(failingSince, patience) <= now
}

const hiccup = 2

/** True once the receiver has failed for longer than a hiccup. */
export function isDown(failingSince: string, now: string): boolean {
  return addSeconds(failingSince, hiccup) <= now
}

type Needs = Pick<DeliveryContext, 'db' | 'clock' | 'log' | 'feed' | 'metrics' | 'mailer' | 'config'>

/** Disables the webhook with a reason, and notifies by an event, an email to the developer and a log line. */
export async function disableWebhook(
  context: Needs,
  { organization_id, webhook_id }: LaneKey,
): Promise<void> {
  const changed = await context.db.transaction(async db => {
    const [owner] = await db.query<{ oauth_application_id: string }>(
      'SELECT oauth_application_id FROM webhooks WHERE organization_id = $1 AND id = $2',
      [organization_id, webhook_id],
    )
    const reach = { organization_id, oauth_application_id: owner?.oauth_application_id }
    const webhook = await findObject(db, resources.webhook, reach, webhook_id, {
      lock: true,
    })
    if (!webhook?.is_enabled) return false
    const write = { db, caller: serviceCaller(organization_id), now: context.clock.now() }
    await updateObject(write, resources.webhook, webhook, { is_enabled: false, disabled_reason: 'failing' })
    return true
  })
  if (!changed) return
  context.metrics.count('gatehouse_webhooks_disabled_total', {})
  context.log.warn({ organization_id, webhook_id }, 'webhook turned off: nothing was accepted for days')
  await tellDeveloper(context, { organization_id, webhook_id })
}
