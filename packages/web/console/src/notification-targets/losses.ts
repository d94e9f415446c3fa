import type { Client } from '@gatehouse-access/sdk'
import { t } from '../language/t.ts'
import { namesOf, rulesText } from '../parts/some-names.ts'

/** Says which rules tell nobody at a target any more. Those that are off tell nobody anyway. */
export async function targetLossesOf(client: Client, id: string): Promise<readonly string[]> {
  const rules = await Array.fromAsync(client.alarm_rules.all())
  const naming = rules.filter(
    ({ is_enabled, notify, escalate }) =>
      is_enabled &&
      [...notify, ...escalate.flatMap(step => step.notify)].some(
        ({ notification_target_id }) => notification_target_id === id,
      ),
  )
  return naming.length > 0 ? [t(`It will no longer be told of alarms by ${rulesText(namesOf(naming))}.`)] : []
}
