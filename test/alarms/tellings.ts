import type { AlarmType } from '@gatehouse-access/core'
import type { Tenant, World } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { type Condition, conditionKey } from '../../packages/server/src/alarms/condition.ts'
import { endAlarms } from '../../packages/server/src/alarms/end-alarms.ts'
import { openAlarms } from '../../packages/server/src/alarms/open-alarms.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { tellPeople } from '../../packages/server/src/telling/sending/tell-people.ts'
import { openHouse } from '../doors/house.ts'
import type { Smtp } from '../telling/smtp.ts'

/** Doors of a house, whose alarms begin and end when the test says. */
export async function openTellings(
  w: World,
  tenant: Pick<Tenant, 'client' | 'organization_id'>,
  names: readonly string[],
  timezone?: string,
) {
  const house = await openHouse(tenant.client, names, timezone)
  const { db } = w.server.context
  const author = () => ({ caller: serviceCaller(tenant.organization_id), now: w.clock.now() })
  const conditionOf = (type: AlarmType, door: string, more: Partial<Condition>): Condition => ({
    type,
    condition_key: conditionKey(type, door),
    gadget_id: door,
    started_at: w.clock.now(),
    ...more,
  })
  return {
    ...house,
    begin: (type: AlarmType, doors: readonly string[] = house.doors, more: Partial<Condition> = {}) =>
      db.transaction(inner =>
        openAlarms(
          inner,
          author(),
          doors.map(door => conditionOf(type, door, more)),
        ),
      ),
    end: (type: AlarmType, doors: readonly string[] = house.doors) =>
      db.transaction(inner =>
        endAlarms(
          inner,
          author(),
          doors.map(door => ({ condition_key: conditionKey(type, door), ended_at: w.clock.now() })),
        ),
      ),
    /** Lets time pass and tells people what is due then. */
    after: async (seconds: number) => {
      w.clock.advance(seconds)
      await tellPeople(w.server.context)
    },
  }
}

/** Proves the address of a target with the code that is mailed to it. */
export async function prove({ client }: Tenant, smtp: Smtp, id: string): Promise<void> {
  await client.notification_targets.send_code(id)
  await expect.poll(() => smtp.received.length).toBeGreaterThan(0)
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(smtp.received.pop()?.text ?? '')?.[0] ?? ''
  await client.notification_targets.verify(id, { code })
}
