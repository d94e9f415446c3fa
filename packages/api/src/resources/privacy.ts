import { nullable, optional, required, type Shape, shape, whole } from '../kit/compounds.ts'
import { flag, integer, timestamp } from '../kit/scalars.ts'

const days = integer(1, 3650)

/** How long an organization keeps personal data, each in days. Null: for ever. */
export const periodParts = {
  member_days: nullable(days, 'Days after the deletion of a member until it is erased. Null: never.'),
  access_days: nullable(
    days,
    'Age at which uses, denials, sign-ins and reveals lose their member. Null: never.',
  ),
  access_delete_days: nullable(
    days,
    'Age at which uses, denials, sign-ins and reveals are deleted, at least `access_days`. Null: never.',
  ),
  other_days: nullable(
    days,
    'Age at which all other events lose IP address, client and the personal values of what changed. Who acted stays. Null: never.',
  ),
  device_days: nullable(days, 'Age at which states and signals of gadgets are deleted. Null: never.'),
}
export type Periods = Shape<typeof periodParts>
export type PeriodName = keyof Periods
export const periodNames = Object.keys(periodParts) as PeriodName[]

const noPeriods = {
  member_days: null,
  access_days: null,
  access_delete_days: null,
  other_days: null,
  device_days: null,
}

/** Nothing expires by itself. */
export const noPrivacy = { ...noPeriods, member_export: false }

export const privacy = whole(
  shape({
    ...periodParts,
    member_export: optional(
      flag,
      'True if members may fetch their own data. The guest page does not offer it yet.',
    ),
  }),
  noPrivacy,
)

export const privacyPending = shape({
  takes_effect_at: required(timestamp, 'When `privacy` takes effect: 24 hours after it was shortened.'),
  in_force: required(
    whole(shape(periodParts), noPeriods),
    'The periods until then. To undo, set `privacy` to these.',
  ),
})
export type PrivacyPending = Shape<{
  takes_effect_at: ReturnType<typeof required<string>>
  in_force: ReturnType<typeof required<Periods>>
}>

/** What preview takes: the periods, as query parameters. */
export const periodQuery = Object.fromEntries(
  periodNames.map(name => [name, { type: days, about: periodParts[name].about }]),
) as { readonly [Name in PeriodName]: { readonly type: typeof days; readonly about: string } }
