import type { Database } from '../database/db.ts'
import { holdLock } from '../database/locks.ts'
import { addToOrganization, createUser } from '../services/accounts/users.ts'
import { addFirstRule } from '../services/alarms/first-rule.ts'
import type { Context } from '../services/objects/context.ts'
import {
  createApplication,
  createOrganization,
  installApplication,
} from '../services/organizations/organizations.ts'
import { type Caller, serviceCaller } from '../store/caller.ts'
import { logHappening } from '../store/write.ts'
import { demoEmail, makeDemoPassword } from './access.ts'
import { plantDoorRule, plantReception } from './alarms.ts'
import { seedGym } from './gym.ts'
import { seedHotel } from './hotel.ts'
import { writePastDay } from './past-day.ts'
import { planter } from './planter.ts'
import { playHotel } from './play.ts'

/** Seeds a database without organizations: a hotel, and a small gym to try isolation with. */
export async function seedDemo(context: Context): Promise<void> {
  const hotel = await context.db.transaction(async db => {
    await holdLock(db, 'demo')
    const [known] = await db.query('SELECT 1 FROM organizations LIMIT 1')
    return known ? undefined : seed(context, db)
  })
  if (!hotel) return
  await writePastDay(context, hotel)
  await playHotel(context, hotel)
}

/** Returns the caller of the hotel. */
async function seed(context: Context, db: Database): Promise<Caller | undefined> {
  let hotel: Caller | undefined
  const applicationId = await createApplication(context, db, 'Demo integration')
  const userId = await createUser(context, db, demoEmail, 'Demo user', await makeDemoPassword(context))
  await db.query('UPDATE oauth_applications SET developer_id = $2 WHERE id = $1', [applicationId, userId])
  for (const [name, seedPlaces, reception] of [
    ['Hotel Miramar', seedHotel, 'reception@miramar.example'],
    ['Corner Gym', seedGym, 'desk@gym.example'],
  ] as const) {
    const organizationId = await createOrganization(context, db, name)
    await addToOrganization(context, db, organizationId, userId, 'owner')
    await installApplication(context, db, organizationId, applicationId, ['full_read_write', 'offline'])
    const operator = { db, caller: serviceCaller(organizationId), now: context.clock.now() }
    const installed = {
      type: 'oauth_application',
      oauth_application_id: applicationId,
      name: 'Demo integration',
    } as const
    await logHappening(operator, 'create', installed)
    const caller = {
      ...serviceCaller(organizationId),
      oauth_application_id: applicationId,
      subject: () => ({ oauth_application_id: applicationId }),
    }
    await addFirstRule({ context, db, caller, now: context.clock.now() })
    const plant = planter(context, db, caller)
    await seedPlaces(plant, context.clock.now())
    await plantDoorRule(plant, [await plantReception(plant, reception)])
    hotel ??= caller
  }
  return hotel
}
