import type { GadgetMode, Resource } from '@gatehouse-access/api'
import { modeUnderOverride, type Policy, type Steps, toMicroseconds } from '@gatehouse-access/core'
import type { Database, Row } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import { PolicyCache } from '../policy/cache.ts'
import { placesAlone } from '../policy/changes.ts'
import type { DoorTelling } from '../store/tell.ts'
import type { ZoneData } from '../zones/zone-data.ts'
import { countDoors } from './door-states.ts'
import { type DoorRow, findDoorRows, isConfirmed } from './reported.ts'

/** How doors and emergencies are now. Keeps the places of organizations in memory, without their members. */
export class DoorModes implements DoorTelling {
  #places: PolicyCache
  #clock: Clock

  constructor(db: Database, zones: ZoneData, clock: Clock) {
    this.#places = new PolicyCache(awaited(db), zones, placesAlone)
    this.#clock = clock
  }

  tell(db: Database, { kind }: Resource, rows: readonly Row[]): Promise<void> | undefined {
    if (kind === 'emergency' && rows.length > 0) return this.#tellEmergencies(db, rows)
    const doors = kind === 'gadget' ? rows.filter(row => row.door !== null && row.is_deleted !== true) : []
    return doors.length > 0 ? this.#tellGadgets(db, doors) : undefined
  }

  /** Evaluates a question about doors, in steps, on what is committed. */
  ask<Answer>(organizationId: string, question: (policy: Policy) => Steps<Answer>): Promise<Answer> {
    return this.#places.ask(organizationId, question)
  }

  async #tellGadgets(db: Database, doors: readonly Row[]): Promise<void> {
    const organizationId = String(doors[0]?.organization_id)
    const ids = doors.map(door => String(door.id))
    const known = await findDoorRows(db, organizationId, ids)
    const at = toMicroseconds(this.#clock.now())
    await this.ask(organizationId, function* (policy): Steps<void> {
      for (const door of doors) {
        yield
        door.mode = yield* modeOf(policy, String(door.id), at, known.get(String(door.id)))
      }
    })
  }

  async #tellEmergencies(db: Database, rows: readonly Row[]): Promise<void> {
    const emergencies = rows.map(({ id, ended_at }) => ({
      id: String(id),
      ended_at: ended_at ? String(ended_at) : null,
    }))
    const counts = await countDoors(db, String(rows[0]?.organization_id), emergencies, this.#clock.now())
    const byId = new Map(counts.map(count => [count.id, count]))
    for (const row of rows) {
      const counted = byId.get(String(row.id)) ?? none
      const { gadget_count, confirmed_gadget_count, cannot_gadget_count } = counted
      const arrival = confirmed_gadget_count < gadget_count ? 'pending' : 'applied'
      Object.assign(row, { gadget_count, confirmed_gadget_count, cannot_gadget_count, arrival })
    }
  }
}

/** Whoever changes a door asks how it is then, within the transaction. */
function awaited(db: Database): Database {
  return { ...db, transaction: work => db.transaction(work, { is_awaited: true }) }
}

const none = { gadget_count: 0, confirmed_gadget_count: 0, cannot_gadget_count: 0 }

/** A door that was created in a transaction that is not committed yet has no other mode than the default. */
const controlled = {
  effective: 'controlled',
  source: 'default',
  since: null,
  until: null,
  unlock_rule_id: null,
  emergency_ids: [],
} as const

function* modeOf(policy: Policy, id: string, at: number, known: DoorRow | undefined): Steps<GadgetMode> {
  const mode = (yield* modeUnderOverride(policy, id, at, known?.override ?? null)) ?? controlled
  const reported = known?.reported ?? null
  const is_confirmed = reported !== null && isConfirmed(mode, reported)
  return {
    ...mode,
    emergency_ids: [...mode.emergency_ids],
    is_confirmed,
    confirmed_at: is_confirmed ? reported.reported_at : null,
  }
}
