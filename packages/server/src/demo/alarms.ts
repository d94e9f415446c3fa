import type { AlarmRecipient } from '@gatehouse-access/api'
import type { Planter } from './planter.ts'

/** Tells somebody when something is wrong at a door, so that forcing a virtual one shows what then happens. */
export async function plantDoorRule(plant: Planter, notify: readonly AlarmRecipient[]): Promise<void> {
  await plant.create('alarm_rule', {
    name: 'Doors',
    types: ['door_forced', 'door_held', 'door_tampered'],
    notify: [...notify],
  })
}

/** A target whose address counts as proved. Mails of a demo are shown at `/outbox`. */
export async function plantReception(plant: Planter, address: string): Promise<AlarmRecipient> {
  const id = await plant.create('notification_target', { name: 'Reception', kind: 'email', address })
  await plant.prove(id)
  return { notification_target_id: id }
}
