import type { JournalEvent, SliceRow } from '@gatehouse-access/api'
import type { AccessMethod, EmergencyRow } from '@gatehouse-access/core'
import type { EdgeClock } from '../clock.ts'
import { type Platform, randomName } from '../platform.ts'
import type { EdgePolicy } from '../policy/slice-policy.ts'
import type { EventDraft, Recorder } from '../recorder.ts'
import type { DoorFact, DoorMemory, DrivenDoor } from './door-memory.ts'
import { isEndedHere, localEmergencyRow } from './local-rows.ts'
import { endOf, isLeaseOver } from './reconcile.ts'

type Plan = SliceRow<'emergency_plans'>

/** Who or what starts or ends a plan: a member at its control gadget, or a panic button. */
export interface Operator {
  readonly gadget_id: string
  readonly signal_id?: string
  readonly access_method?: AccessMethod
  readonly member_id?: string
  readonly credential_id?: string
}

interface Parts {
  readonly platform: Platform
  readonly clock: EdgeClock
  readonly recorder: Recorder
  readonly policy: EdgePolicy
  memory(): DoorMemory
  tell(fact: DoorFact): void
  isConnected?(): boolean
}

/** Microseconds after which a service that has the event of an emergency must have sent its own, if it has one. */
const mostDelay = 60e6

/** Emergencies that start and end at this controller, with or without the service. */
export class LocalEmergencies {
  readonly #parts: Parts
  /** Since when the service is connected and has the event of an emergency. */
  readonly #heard = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Starts a plan, also if one of its emergencies is known: without a connection, it may have ended since. Who
   * presses the button again changes nothing.
   */
  start(plan: Plan, by: Operator): JournalEvent[] {
    const { clock, memory, platform, tell } = this.#parts
    if (memory().emergencies.some(({ plan: { id } }) => id === plan.id)) return []
    const { is_sure } = clock.now()
    const local_id = randomName(platform)
    const known_ids = this.#running(plan.id).map(({ id }) => id)
    const about = { action: 'start', emergency_plan_id: plan.id, local_id } as const
    const event = this.#append({ type: 'emergency', ...about, ...by })
    const { occurred_at: started_at, sequence } = event
    tell({ type: 'start', emergency: { local_id, plan, started_at, is_sure, known_ids, sequence } })
    return [event]
  }

  /** Ends what runs of a plan, as far as this controller knows of it. */
  end(plan: Plan, by: Operator): JournalEvent[] {
    const { memory, platform, tell } = this.#parts
    const local = memory().emergencies.find(emergency => emergency.plan.id === plan.id)
    const local_id = local?.local_id ?? randomName(platform)
    const about = { action: 'end', emergency_plan_id: plan.id, local_id } as const
    const running = this.#running(plan.id).map(({ id }) => ({ emergency_id: id }))
    const ended = running.length === 0 && local ? [{}] : running
    const events = ended.map(named => this.#append({ type: 'emergency', ...about, ...named, ...by }))
    if (events.length > 0) tell({ type: 'end', plan_id: plan.id })
    return events
  }

  noteAcknowledged(): void {
    const { memory, recorder, tell } = this.#parts
    for (const { local_id, sequence, is_acknowledged } of memory().emergencies)
      if (!is_acknowledged && sequence !== undefined && sequence <= recorder.acknowledged)
        tell({ type: 'acknowledged', local_id })
  }

  /** Counts only time in which the service was connected: otherwise it cannot send anything. */
  isOverdue(localId: string): boolean {
    const now = this.#parts.platform.monotonic()
    if (!this.#parts.isConnected?.()) this.#heard.delete(localId)
    else if (!this.#heard.has(localId)) this.#heard.set(localId, now)
    return now - (this.#heard.get(localId) ?? now) >= mostDelay
  }

  /** What ended the emergencies that set the mode of a door. */
  causeOf({ source, emergency_ids }: DrivenDoor): DrivenDoor['cause'] {
    const { clock, memory, policy } = this.#parts
    const { time, is_sure } = clock.now()
    if (source !== 'emergency' || !is_sure) return undefined
    const local = memory().emergencies.map(localEmergencyRow)
    const rows: EmergencyRow[] = [...policy.rows('emergencies').values(), ...local]
    const isOver = rows.some(row => emergency_ids.includes(row.id) && isLeaseOver(row, time))
    return isOver ? 'lease_ended' : undefined
  }

  #running(planId: string): SliceRow<'emergencies'>[] {
    const { clock, memory, policy } = this.#parts
    const { time, is_sure } = clock.now()
    return [...policy.rows('emergencies').values()].filter(
      row => row.plan_id === planId && !(is_sure && time >= endOf(row)) && !isEndedHere(row, memory()),
    )
  }

  #append(draft: EventDraft): JournalEvent {
    return this.#parts.recorder.append(draft, this.#parts.clock.now()).event
  }
}
