import { addFirstRule } from '../services/alarms/first-rule.ts'
import type { Context } from '../services/objects/context.ts'
import { addUser } from '../services/organizations/organization-users.ts'
import { createOrganization } from '../services/organizations/organizations.ts'
import type { Caller } from '../store/caller.ts'
import { plantDoorRule } from './alarms.ts'
import { seedGym } from './gym.ts'
import { seedHotel } from './hotel.ts'
import { seedOffice } from './office.ts'
import { planter } from './planter.ts'

export const templates = ['hotel', 'office', 'gym'] as const
export type Template = (typeof templates)[number]

const seeds = { hotel: seedHotel, office: seedOffice, gym: seedGym }

/** Creates an organization. A template makes it a test organization with virtual devices and people. */
export async function foundOrganization(
  context: Context,
  callerIn: (organization_id: string) => Caller,
  user_id: string,
  name: string,
  template?: Template,
): Promise<string> {
  return context.db.transaction(async db => {
    await context.quotas.take(db, 'user.organization', [user_id])
    const organization_id = await createOrganization(context, db, name)
    const caller = callerIn(organization_id)
    const now = context.clock.now()
    await addUser({ context, db, caller, now }, user_id, { role: 'owner', site_ids: null })
    await addFirstRule({ context, db, caller, now })
    if (!template) return organization_id
    await db.query(
      'INSERT INTO test_organizations (organization_id, user_id, template, created_at) VALUES ($1, $2, $3, $4)',
      [organization_id, user_id, template, now],
    )
    const plant = planter(context, db, caller)
    await seeds[template](plant, now)
    await plantDoorRule(plant, [{ role: 'owner' }])
    return organization_id
  })
}
