import {
  compilePolicy,
  type DoorMode,
  decide,
  modeOfDoor,
  type Policy,
  type PolicyRows,
} from '@gatehouse-access/core'
import {
  type Door,
  engineRows,
  groupsKnownAt,
  isKnownAt,
  type Mixture,
  type Organization,
  type Person,
} from './organization.ts'
import type { Range, SimulatedService } from './service.ts'

export interface Input {
  readonly door: Door
  readonly kind: 'pin' | 'card'
  readonly secret: string
  /** Microseconds. NaN while the time is unknown. */
  readonly at: number
}

/** Which state the members, groups, schedules and modes are of. */
type States = readonly [members: number, groups: number, schedules: number, modes: number]

/** Null when access is allowed. */
export type Answer = string | null

const timely: readonly Answer[] = ['member_not_started', 'member_ended', 'outside_schedule']

/** Computes the engine's answer directly, without any slice, hash or disk. */
export class Oracle {
  readonly #service: SimulatedService
  readonly #policies = new Map<string, Policy>()

  constructor(service: SimulatedService) {
    this.#service = service
  }

  /**
   * Returns whether an answer is right for some state in a range. A version made during changes may combine
   * members, groups, schedules and modes of different states. Emergencies travel alone and first: whom they exempt
   * is known, or no longer known, a moment later.
   */
  allows(given: Answer, input: Input, { first, last }: Range): boolean {
    // Rules are removed before the members that they admit, so a member may briefly be known by a missing
    // group.
    const answer = given === 'group_deleted' && first < last ? 'unknown_credential' : given
    for (let all = first; all <= last; all++)
      if (this.answer(input, [all, all, all, all]) === answer) return true
    for (let members = first; members <= last; members++)
      for (let groups = first; groups <= last; groups++)
        for (let schedules = first; schedules <= last; schedules++)
          for (let modes = first; modes <= last; modes++)
            for (const exempt of this.#exemptions({ first, last }))
              if (this.answer(input, [members, groups, schedules, modes], exempt) === answer) return true
    return false
  }

  /** Returns a state for each set of emergencies in a range. */
  #exemptions({ first, last }: Range): number[] {
    const found = new Map<readonly unknown[], number>()
    for (let state = first; state <= last; state++) found.set(this.#service.stateAt(state).emergencies, state)
    return [...found.values()]
  }

  /** Returns the answer for the newest state. */
  answerNow(input: Input): Answer {
    const { newest } = this.#service
    return this.answer(input, [newest, newest, newest, newest])
  }

  /** Returns the mode of a door for the newest state. */
  modeNow(gadgetId: string, at: number): DoorMode | undefined {
    const { newest } = this.#service
    return modeOfDoor(this.#policy([newest, newest, newest, newest]), gadgetId, at)?.mode
  }

  /** `exempt`: the state by whose emergencies members are known, alone and as members of exempt groups. */
  answer(input: Input, states: States, exempt = states[3]): Answer {
    const { building } = this.#service
    const mixture = this.#mix(states)
    const person = findPerson(mixture.members, input)
    const known = { ...mixture, modes: this.#service.stateAt(exempt) }
    if (!person || !isKnownAt(person, known, input.door, building.site_id)) return 'unknown_credential'
    const policy = exempt === states[3] ? this.#policy(states) : this.#policyOf(states, known, input.door)
    const { allowed, reason } = decide(policy, {
      credential_id: input.kind === 'pin' ? person.pin_id : person.card_id,
      gadget_id: input.door.gadget_id,
      action_id: 'open',
      at: input.at,
    })
    return allowed ? null : Number.isNaN(input.at) && timely.includes(reason) ? 'clock_unsure' : reason
  }

  #mix([members, groups, schedules, modes]: States): Mixture {
    return {
      members: this.#service.stateAt(members),
      groups: this.#service.stateAt(groups),
      schedules: this.#service.stateAt(schedules),
      modes: this.#service.stateAt(modes),
    }
  }

  /** Like `#policy`, but members are only in those groups by which a device knows them. */
  #policyOf(states: States, known: Mixture, door: Door): Policy {
    const groups = groupsKnownAt(known, door, this.#service.building.site_id)
    const name = `${states.join(' ')} ${[...groups].sort().join(' ')}`
    return this.#compiled(name, () => {
      const { associations = [], ...rows } = engineRows(this.#mix(states), this.#service.building)
      return { ...rows, associations: associations.filter(of => groups.has(of.member_group_id)) }
    })
  }

  #policy(states: States): Policy {
    return this.#compiled(states.join(' '), () => engineRows(this.#mix(states), this.#service.building))
  }

  #compiled(name: string, rows: () => PolicyRows): Policy {
    const known = this.#policies.get(name)
    if (known) return known
    const compiled = compilePolicy(rows())
    this.#policies.set(name, compiled)
    return compiled
  }
}

function findPerson({ people }: Organization, { kind, secret }: Input): Person | undefined {
  return people.find(({ pin, uid }) => secret === (kind === 'pin' ? pin : uid))
}
