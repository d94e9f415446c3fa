import type { Planter } from './planter.ts'

interface Lobby {
  readonly site_id: string
  readonly gadget_id: string
  readonly schedule_id: string
  /** The groups of which somebody has to come first. */
  readonly first: readonly string[]
  /** The groups that a lockdown lets in. */
  readonly exempt: readonly string[]
}

const early_seconds = 1800

/** A door that stays unlocked in opening hours once somebody of the house is there, and a plan to lock all doors. */
export async function plantLobby(plant: Planter, lobby: Lobby): Promise<void> {
  const { exempt, first, gadget_id, schedule_id, site_id } = lobby
  await plant.create('unlock_rule', {
    name: 'Open house',
    site_id,
    gadget_ids: [gadget_id],
    schedule_id,
    first_person: { member_group_ids: first, early_seconds, before: 'controlled' },
  })
  await plant.create('emergency_plan', {
    name: 'Lockdown',
    type: 'lockdown',
    targets: { site_ids: [site_id] },
    exempt_member_group_ids: exempt,
  })
}
