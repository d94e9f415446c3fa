import { present } from '../flow/present.ts'
import { lowBattery } from './edits/reasons.ts'

/** What filters that are declared as `computed` compare, by kind and name, as expressions on `t` that are never null. */
const expressions: Readonly<Record<string, (tenant: () => string) => string>> = {
  'card.is_given': tenant => `EXISTS (${claims(tenant)})`,
  'card.is_suspended': tenant => `EXISTS (${claims(tenant)} AND c.is_suspended)`,
  'device.is_battery_low': () =>
    `coalesce((t.status->>'battery_present') = 'true' AND (t.status->>'battery_percent')::numeric < ${lowBattery}, false)`,
  'gadget.is_online': tenant =>
    `EXISTS (SELECT 1 FROM devices c WHERE c.organization_id = ${tenant()} AND c.id = t.device_id AND (c.status->>'online') = 'true')`,
  'gadget.is_open': () => `coalesce(t.state_id = (t.door->>'open_state_id'), false)`,
}

function claims(tenant: () => string): string {
  return `SELECT 1 FROM member_cards c WHERE c.organization_id = ${tenant()} AND c.card_id = t.id AND c.is_claimed`
}

export function computedExpression(name: string, tenant: () => string): string {
  return present(expressions[name], 'a computed filter')(tenant)
}
