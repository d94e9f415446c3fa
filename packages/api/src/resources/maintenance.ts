import { clearable } from '../kit/compounds.ts'
import { field } from '../kit/field.ts'
import type { Action } from '../kit/resource.ts'
import { timestamp } from '../kit/scalars.ts'
import { mostQuietDays } from './alarm.ts'

/** The field of what can be in maintenance. */
export function maintenanceField(of: 'device' | 'site') {
  return field(timestamp, {
    about: `Until when the ${of} is in maintenance: its alarms are recorded, and nobody is told of them. Null, or in the past: it is not.`,
    example: null,
    nullable: true,
  })
}

export const setMaintenance = {
  method: 'POST',
  path: '/maintenance',
  about:
    'Puts it into maintenance for a while, at most 7 days: its alarms are recorded, and nobody is told of them. It ends by itself, or with null.',
  scope: 'write',
  body: { until: clearable(timestamp, `When it ends, at most ${mostQuietDays} days ahead. Null: now.`) },
  answer: 'object',
} as const satisfies Action
