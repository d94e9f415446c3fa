/** Filters of alarms by their API names, and `when`. They are also those of the address. */
export type AlarmFilters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>

export const filterNames = [
  'severity',
  'type',
  'site_id',
  'gadget_id',
  'device_id',
  'alarm_rule_ids',
  'when',
] as const

export function readFilters(params: URLSearchParams): AlarmFilters {
  return Object.fromEntries(
    filterNames.flatMap(name => {
      const value = params.get(name)
      return value ? [[name, value]] : []
    }),
  )
}
