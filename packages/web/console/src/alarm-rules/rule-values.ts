import type { ItemOf } from '../data/collections.ts'

export type AlarmRule = ItemOf<'alarm_rules'>
export type Recipient = AlarmRule['notify'][number]

export interface Step {
  readonly after_seconds: number
  readonly notify: readonly string[]
}

/** What the form of a rule edits. Recipients are keys: `role owner`, `user_id usr_…`, `notification_target_id ntt_…`. */
export interface RuleValues {
  readonly name: string
  readonly types: AlarmRule['types']
  readonly site_ids: readonly string[]
  readonly gadget_ids: readonly string[]
  readonly device_ids: readonly string[]
  readonly tag_ids: readonly string[]
  readonly schedule_id: string | null
  readonly severity: AlarmRule['severity']
  readonly delay_seconds: number | null
  readonly notify: readonly string[]
  readonly repeat_seconds: number | null
  readonly escalate: readonly Step[]
  readonly auto_close_seconds: number
  readonly count: number | null
  readonly seconds: number | null
  readonly percent: number | null
  readonly is_enabled: boolean
}

export function toValues(rule: AlarmRule | undefined): RuleValues {
  const { targets = {}, thresholds = {} } = rule ?? {}
  return {
    name: rule?.name ?? '',
    types: rule?.types ?? [],
    site_ids: targets.site_ids ?? [],
    gadget_ids: targets.gadget_ids ?? [],
    device_ids: targets.device_ids ?? [],
    tag_ids: targets.tag_ids ?? [],
    schedule_id: rule?.schedule_id ?? null,
    severity: rule?.severity ?? null,
    delay_seconds: rule?.delay_seconds ?? null,
    notify: rule?.notify.map(toKey) ?? [],
    repeat_seconds: rule?.repeat_seconds ?? null,
    escalate: rule?.escalate.map(step => ({ ...step, notify: step.notify.map(toKey) })) ?? [],
    auto_close_seconds: rule?.auto_close_seconds ?? 0,
    count: thresholds.count ?? null,
    seconds: thresholds.seconds ?? null,
    percent: thresholds.percent ?? null,
    is_enabled: rule?.is_enabled ?? true,
  }
}

export function toBody(values: RuleValues) {
  const { site_ids, gadget_ids, device_ids, tag_ids, count, seconds, percent, ...rest } = values
  const counts = values.types.includes('access_denied_often')
  const measures = values.types.includes('device_battery_low')
  return {
    ...rest,
    types: [...values.types],
    targets: filled({ site_ids, gadget_ids, device_ids, tag_ids }),
    notify: values.notify.map(toRecipient),
    escalate: values.escalate.map(step => ({ ...step, notify: step.notify.map(toRecipient) })),
    thresholds: {
      ...(counts && count !== null && { count }),
      ...(counts && seconds !== null && { seconds }),
      ...(measures && percent !== null && { percent }),
    },
  }
}

type Ids = Readonly<Record<'site_ids' | 'gadget_ids' | 'device_ids' | 'tag_ids', readonly string[]>>

/** Leaves out empty lists: they would mean nowhere, not everywhere. */
function filled(targets: Ids): AlarmRule['targets'] {
  return Object.fromEntries(
    Object.entries(targets).flatMap(([name, ids]) => (ids.length > 0 ? [[name, [...ids]]] : [])),
  )
}

export function toKey(recipient: Recipient): string {
  const [way, id] = Object.entries(recipient).find(([, value]) => value !== undefined) ?? []
  return `${way} ${id}`
}

function toRecipient(key: string): Recipient {
  const [way = '', id] = key.split(' ')
  return { [way]: id }
}
