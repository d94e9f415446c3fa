import type { SliceMember, SliceRemovals, SliceRow, SliceRows } from '@gatehouse/api'
import {
  applyChange,
  applySteps,
  createPolicy,
  type Decision,
  decideSteps,
  type Explanation,
  explainSteps,
  finish,
  type KeypadSetup,
  type Policy,
  type Question,
  type Steps,
  type TriggerRow,
  toMicroseconds,
} from '@gatehouse/core'
import { smallKinds } from '../storage/small-kinds.ts'
import type { PolicyHead, SmallKind, Storage } from '../storage/storage.ts'
import { keyedHash } from './keyed-hash.ts'

/** The most members in memory; beyond that the memory is cleared. */
const mostMembers = 4000
const unknown: Decision = { allowed: false, reason: 'unknown_credential' }

/** What the controller asks of a policy. */
export interface EdgePolicy {
  readonly compiled: Policy
  /** Where two have the same PIN or card, neither counts. */
  identify(kind: 'pin' | 'card', value: string): { credential_id: string; member_id: string } | undefined
  /** Whether a link, email or token of a member was deleted, so that passes fetched with it no longer count. */
  isRevoked(member_id: string, credential_id: string): boolean
  /** The member is named beside the credential, so that it can be found without it. */
  decide(question: Question): Steps<Decision>
  explain(question: Question): Steps<Explanation>
  /** What keys and cards at a device mean. */
  setup(device_id: string): KeypadSetup
  /** Microseconds: until when somebody guesses PINs all over the site of a device. */
  pinsAlarmedUntil(device_id: string): number
  gadget(id: string): SliceRow<'gadgets'> | undefined
  triggers(): readonly TriggerRow[]
}

/**
 * The policy on the disk, compiled. Places, schedules, groups and triggers are few and held in memory; members are read
 * when they come to the door, so that a start costs the same whatever their number.
 */
export class SlicePolicy implements EdgePolicy {
  readonly #storage: Storage
  #key = Buffer.alloc(0)
  #small = new Map<SmallKind, Map<string, SliceRow<SmallKind>>>()
  #loaded = new Map<string, SliceMember>()
  #compiled: Policy

  /** `compiled`: what `compileSmall` made of the very rows of the storage, by somebody who could not wait for it here. */
  constructor(storage: Storage, head: PolicyHead | undefined, compiled?: Policy) {
    this.#storage = storage
    this.#compiled = this.#reload(head, compiled)
  }

  get compiled(): Policy {
    return this.#compiled
  }

  /** Another snapshot decides from now on. */
  adopt(head: PolicyHead): void {
    this.#storage.refresh()
    this.#compiled = this.#reload(head)
  }

  /** A delta that is on the disk decides from now on, all of it at once. */
  apply(put: SliceRows, remove: SliceRemovals): void {
    this.#storage.refresh()
    for (const kind of smallKinds) {
      for (const id of remove[kind] ?? []) this.#removeRow(kind, id)
      for (const row of put[kind] ?? []) this.#putRow(kind, row)
    }
    for (const id of remove.members ?? []) this.#forget(id)
    for (const member of put.members ?? []) this.#forget(member.id)
  }

  identify(kind: 'pin' | 'card', value: string): { credential_id: string; member_id: string } | undefined {
    const [found, other] = this.#storage.findCredentials(kind, keyedHash(this.#key, kind, value))
    if (!found || other) return undefined
    return { credential_id: found.id, member_id: found.member_id }
  }

  isRevoked(memberId: string, credentialId: string): boolean {
    return this.#storage.findMember(memberId)?.revoked?.includes(credentialId) ?? false
  }

  *decide(question: Question): Steps<Decision> {
    return this.#load(question.member_id) ? yield* decideSteps(this.#compiled, question) : unknown
  }

  /** With the places that rules have in their whole groups, of which the slice has only some. */
  *explain(question: Question): Steps<Explanation> {
    if (!this.#load(question.member_id)) return { ...unknown, rules: [], next_allowed_at: null }
    const explanation = yield* explainSteps(this.#compiled, question)
    const rules = explanation.rules.map(tried => {
      const group = this.#rows('groups').get(tried.member_group_id)
      const place =
        tried.rule_index === null ? null : (group?.permissions[tried.rule_index]?.rule_index ?? null)
      return { ...tried, rule_index: place }
    })
    return { ...explanation, rules }
  }

  setup(deviceId: string): KeypadSetup {
    const own = [...this.#rows('gadgets').values()].filter(
      gadget => gadget.device_id === deviceId && !gadget.is_deleted,
    )
    const first = own.sort((a, b) => (a.id < b.id ? -1 : 1))[0]
    const action = first?.actions[0]
    return {
      input_rules: this.#rows('devices').get(deviceId)?.input_rules ?? [],
      first_action: first && action ? { gadget_id: first.id, action_id: action.id } : null,
    }
  }

  pinsAlarmedUntil(deviceId: string): number {
    const site = this.#rows('sites').get(this.#rows('devices').get(deviceId)?.site_id ?? '')
    return site?.pins_alarmed_until ? toMicroseconds(site.pins_alarmed_until) : 0
  }

  gadget(id: string): SliceRow<'gadgets'> | undefined {
    return this.#rows('gadgets').get(id)
  }

  triggers(): readonly TriggerRow[] {
    return [...this.#rows('triggers').values()].map(living)
  }

  #reload(head: PolicyHead | undefined, compiled?: Policy): Policy {
    this.#key = Buffer.from(head?.key ?? '', 'base64url')
    const rows = this.#storage.smallRows()
    this.#small = new Map(
      smallKinds.map(kind => [
        kind,
        new Map((rows[kind] as SliceRow<SmallKind>[]).map(row => [row.id, row])),
      ]),
    )
    return compiled ?? this.#compile()
  }

  #compile(): Policy {
    this.#loaded = new Map()
    const rows = smallKinds.map(kind => [kind, [...this.#rows(kind).values()]])
    return finish(compileSmall(Object.fromEntries(rows)))
  }

  #rows<Kind extends SmallKind>(kind: Kind): Map<string, SliceRow<Kind>> {
    return this.#small.get(kind) as never
  }

  #putRow(kind: SmallKind, row: SliceRow<SmallKind>): void {
    this.#small.get(kind)?.set(row.id, row)
    if (kind !== 'triggers') applyChange(this.#compiled, kind, living(row))
  }

  #removeRow(kind: SmallKind, id: string): void {
    const row = this.#small.get(kind)?.get(id)
    if (!row) return
    this.#small.get(kind)?.delete(id)
    if (kind !== 'triggers') applyChange(this.#compiled, kind, { ...row, is_deleted: true })
  }

  /** Reads a member into memory with everything it has; false when the slice does not have it. */
  #load(id = ''): boolean {
    if (this.#loaded.has(id)) return true
    const member = this.#storage.findMember(id)
    if (!member) return false
    if (this.#loaded.size >= mostMembers) this.#compiled = this.#compile()
    this.#loaded.set(id, member)
    this.#putMember(member)
    return true
  }

  /** What is no longer as it was is read again when it is next asked for. */
  #forget(id: string): void {
    const member = this.#loaded.get(id)
    if (!member) return
    this.#loaded.delete(id)
    const gone = <Row>(rows: readonly Row[]) => rows.map(row => ({ ...row, is_deleted: true }))
    const { associations, credentials } = member
    this.#putMember({
      ...member,
      is_deleted: true,
      associations: gone(associations),
      credentials: gone(credentials),
    })
  }

  #putMember(member: SliceMember): void {
    const member_id = member.id
    applyChange(this.#compiled, 'members', living(member))
    for (const row of member.associations)
      applyChange(this.#compiled, 'associations', { ...living(row), member_id })
    for (const row of member.credentials)
      applyChange(this.#compiled, 'credentials', { ...living(row), member_id })
  }
}

/** Everything of a slice but its members and triggers, compiled in steps. */
export function* compileSmall(rows: Pick<SliceRows, SmallKind>): Steps<Policy> {
  const policy = createPolicy({ gadgets: rows.gadgets?.length ?? 0 })
  for (const kind of smallKinds)
    if (kind !== 'triggers')
      for (const row of rows[kind] ?? []) yield* applySteps(policy, kind, [living(row)])
  return policy
}

/** On the wire what lives need not say so. */
function living<Row extends { is_deleted?: boolean }>(row: Row): Row & { is_deleted: boolean } {
  return { ...row, is_deleted: row.is_deleted ?? false }
}
