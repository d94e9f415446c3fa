import type { Client } from '@gatehouse-access/sdk'
import { lossesOf } from '../access/losses.ts'
import { t } from '../language/t.ts'
import { namesOf, plansText, rulesText } from '../parts/some-names.ts'

/** Says who loses access without a group, and for what its members no longer count. */
export async function groupLossesOf(client: Client, id: string): Promise<readonly string[]> {
  const [uses, plans, rules] = await Promise.all([
    client.member_groups.uses(id),
    Array.fromAsync(client.emergency_plans.all()),
    Array.fromAsync(client.unlock_rules.all()),
  ])
  const exempting = namesOf(plans.filter(plan => plan.exempt_member_group_ids?.includes(id)))
  const waiting = namesOf(
    rules.filter(rule => rule.is_enabled && rule.first_person?.member_group_ids.includes(id)),
  )
  return [
    ...lossesOf(uses),
    ...(exempting.length > 0
      ? [t(`Its members will no longer be exempt from ${plansText(exempting)}.`)]
      : []),
    ...(waiting.length > 0
      ? [t(`Its members will no longer count as the first person for ${rulesText(waiting)}.`)]
      : []),
  ]
}
