import type { SliceMember, SliceRemovals, SliceRow, SliceRows } from '@gatehouse-access/api'
import {
  applyChange,
  applySteps,
  createPolicy,
  type DecidedBy,
  type Decision,
  decidedBy,
  decideSteps,
  type Explanation,
  explainSteps,
  finish,
  type KeypadSetup,
  type Policy,
  type Question,
  type Steps,
  setZoneTable,
  type TriedRule,
  type TriggerRow,
  toMicroseconds,
} from '@gatehouse-access/core'
import { type DoorMemory, emptyMemory } from '../modes/door-memory.ts'
import { amendRule, amendSite, isEndedHere, localEmergencyRow } from '../modes/local-rows.ts'
import { smallKinds } from '../storage/small-kinds.ts'
import type { PolicyHead, SmallKind, Storage } from '../storage/storage.ts'
import { keyedHash } from './keyed-hash.ts'

/** The maximum number of members in memory. When it is reached, all of them are dropped. */
const mostMembers = 4000
const unknown: Decision = { allowed: false, reason: 'unknown_credential' }

/** An explanation, and what is recorded with it. */
export interface Explained extends Explanation {
  readonly decided_by: DecidedBy | null
}

/** The queries that the controller makes on a policy. */
export interface EdgePolicy {
  readonly compiled: Policy
  /** Returns undefined when two credentials match, because neither counts. */
  identify(kind: 'pin' | 'card', value: string): { credential_id: string; member_id: string } | undefined
  /** Whether a link, email or token was deleted, so that passes fetched with it are no longer valid. */
  isRevoked(member_id: string, credential_id: string): boolean
  /** Whether it is one of the suspended, so that decisions about a pass have to ask for it too. */
  isSuspended(member_id: string, credential_id: string): boolean
  /** The question must name the member in addition to the credential, so that the member can be loaded. */
  decide(question: Question): Steps<Decision>
  explain(question: Question): Steps<Explanation>
  /** The same, with what an event keeps of it. */
  account(question: Question): Steps<Explained>
  /** Returns what keys and cards mean at a device. */
  setup(device_id: string): KeypadSetup
  /** Until when PIN guessing is assumed across the site of a device, in microseconds. */
  pinsAlarmedUntil(device_id: string): number
  gadget(id: string): SliceRow<'gadgets'> | undefined
  /** The rows of a kind, without what was added by `amend`. */
  rows<Kind extends SmallKind>(kind: Kind): ReadonlyMap<string, SliceRow<Kind>>
  /** Decides from now on as if the service had sent what happened here. */
  amend(memory: DoorMemory): void
  triggers(): readonly TriggerRow[]
  /** The last local date up to which the special days of every site are known, if that is limited. */
  daysKnownUntil(): string | undefined
}

/**
 * The compiled policy from disk. Places, schedules, groups and triggers are few and are held in memory.
 * Members are loaded when they come to the door, so that startup cost does not depend on their number.
 */
export class SlicePolicy implements EdgePolicy {
  readonly #storage: Storage
  #key = Buffer.alloc(0)
  #small = new Map<SmallKind, Map<string, SliceRow<SmallKind>>>()
  #loaded = new Map<string, SliceMember>()
  #memory = emptyMemory
  #compiled: Policy

  /** `compiled`: the result of `compileSmall` for the stored rows, if the caller compiled them in steps. */
  constructor(storage: Storage, head: PolicyHead | undefined, compiled?: Policy) {
    this.#storage = storage
    this.#compiled = this.#reload(head, compiled)
  }

  get compiled(): Policy {
    return this.#compiled
  }

  /** Switches to another snapshot. */
  adopt(head: PolicyHead): void {
    this.#storage.refresh()
    this.#compiled = this.#reload(head)
  }

  /** Applies a delta that is on disk, atomically. */
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

  isSuspended(memberId: string, credentialId: string): boolean {
    return this.#storage.findMember(memberId)?.suspended?.some(({ id }) => id === credentialId) ?? false
  }

  *decide(question: Question): Steps<Decision> {
    return this.#load(question.member_id) ? yield* decideSteps(this.#compiled, question) : unknown
  }

  *explain(question: Question): Steps<Explanation> {
    const { decided_by: _, ...explanation } = yield* this.account(question)
    return explanation
  }

  /** Maps rule indexes to those of the whole groups, because the slice has only some of their rules. */
  *account(question: Question): Steps<Explained> {
    if (!this.#load(question.member_id))
      return { ...unknown, rules: [], next_allowed_at: null, decided_by: null }
    const explanation = yield* explainSteps(this.#compiled, question)
    const rules = explanation.rules.map(tried => ({ ...tried, rule_index: this.#placeOf(tried) }))
    const decided_by = decidedBy(this.#compiled, question, explanation)
    return { ...explanation, rules, decided_by: decided_by && this.#asWhole(decided_by) }
  }

  #placeOf({ member_group_id, rule_index }: Pick<TriedRule, 'member_group_id' | 'rule_index'>) {
    const group = this.#rows('groups').get(member_group_id)
    return rule_index === null ? null : (group?.permissions[rule_index]?.rule_index ?? null)
  }

  #asWhole(decided: DecidedBy): DecidedBy {
    const rules = decided.rules.map(rule => ({
      ...rule,
      rule_index: this.#placeOf(rule) ?? rule.rule_index,
    }))
    return { ...decided, rules }
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

  rows<Kind extends SmallKind>(kind: Kind): ReadonlyMap<string, SliceRow<Kind>> {
    return this.#rows(kind)
  }

  amend(memory: DoorMemory): void {
    const before = this.#memory
    this.#memory = memory
    const { arrivals, departures, emergencies, ended, fires } = memory
    if (arrivals !== before.arrivals || departures !== before.departures) this.#recompile('unlock_rules')
    if (fires !== before.fires) this.#recompile('sites')
    if (ended !== before.ended) this.#recompile('emergencies')
    if (emergencies !== before.emergencies) this.#replaceLocal(before)
  }

  triggers(): readonly TriggerRow[] {
    return [...this.#rows('triggers').values()].map(living)
  }

  daysKnownUntil(): string | undefined {
    const dates = [...this.#rows('sites').values()].flatMap(({ days_until }) => days_until ?? [])
    return dates.sort()[0]
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
    const rows = smallKinds.map(kind => [
      kind,
      [...this.#rows(kind).values()].map(row => this.#amended(kind, living(row))),
    ])
    const policy = finish(compileSmall(Object.fromEntries(rows)))
    for (const emergency of this.#memory.emergencies)
      applyChange(policy, 'emergencies', localEmergencyRow(emergency))
    return policy
  }

  #recompile(kind: 'unlock_rules' | 'sites' | 'emergencies'): void {
    for (const row of this.#rows(kind).values()) this.#compileRow(kind, living(row))
  }

  #replaceLocal({ emergencies }: DoorMemory): void {
    for (const gone of emergencies)
      applyChange(this.#compiled, 'emergencies', { ...localEmergencyRow(gone), is_deleted: true })
    for (const emergency of this.#memory.emergencies)
      applyChange(this.#compiled, 'emergencies', localEmergencyRow(emergency))
  }

  #compileRow(kind: SmallKind, row: Living<SliceRow<SmallKind>>): void {
    compileRow(this.#compiled, kind, this.#amended(kind, row))
  }

  #amended(kind: SmallKind, row: Living<SliceRow<SmallKind>>): Living<SliceRow<SmallKind>> {
    if (kind === 'unlock_rules') return amendRule(row as Living<SliceRow<'unlock_rules'>>, this.#memory)
    if (kind === 'sites') return amendSite(row as Living<SliceRow<'sites'>>, this.#memory)
    if (kind === 'emergencies' && isEndedHere(row as SliceRow<'emergencies'>, this.#memory))
      return { ...row, is_deleted: true }
    return row
  }

  #rows<Kind extends SmallKind>(kind: Kind): Map<string, SliceRow<Kind>> {
    return this.#small.get(kind) as never
  }

  #putRow(kind: SmallKind, row: SliceRow<SmallKind>): void {
    this.#small.get(kind)?.set(row.id, row)
    this.#compileRow(kind, living(row))
  }

  #removeRow(kind: SmallKind, id: string): void {
    const row = this.#small.get(kind)?.get(id)
    if (!row) return
    this.#small.get(kind)?.delete(id)
    compileRow(this.#compiled, kind, { ...row, is_deleted: true })
  }

  /** Loads a member with everything that belongs to it; false when the slice does not contain the member. */
  #load(id = ''): boolean {
    if (this.#loaded.has(id)) return true
    const member = this.#storage.findMember(id)
    if (!member) return false
    if (this.#loaded.size >= mostMembers) this.#compiled = this.#compile()
    this.#loaded.set(id, member)
    this.#putMember(member)
    return true
  }

  /** Drops a changed member. It is loaded again on the next use. */
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
      suspended: [],
    })
    for (const row of carriersOf(member))
      applyChange(this.#compiled, 'credentials', { ...row, member_id: id, is_suspended: false })
  }

  #putMember(member: SliceMember): void {
    const member_id = member.id
    applyChange(this.#compiled, 'members', living(member))
    for (const row of member.associations)
      applyChange(this.#compiled, 'associations', { ...living(row), member_id })
    for (const row of [...member.credentials, ...carriersOf(member)])
      applyChange(this.#compiled, 'credentials', { ...living(row), member_id })
  }
}

/** Returns the suspended carriers of passes as the engine reads them. What kind they are does not matter at a device. */
function carriersOf({ suspended = [] }: SliceMember) {
  return suspended.map(row => ({ ...row, kind: 'token', is_suspended: true, is_deleted: false }) as const)
}

/** Compiles the slice, except its members, triggers and plans, in steps. */
export function* compileSmall(rows: Pick<SliceRows, SmallKind>): Steps<Policy> {
  const policy = createPolicy({ gadgets: rows.gadgets?.length ?? 0 })
  for (const row of rows.zones ?? []) compileRow(policy, 'zones', living(row))
  for (const kind of smallKinds)
    if (isCompiled(kind)) for (const row of rows[kind] ?? []) yield* applySteps(policy, kind, [living(row)])
  return policy
}

type Living<Row> = Row & { is_deleted: boolean }

type CompiledKind = Exclude<SmallKind, 'triggers' | 'emergency_plans' | 'zones'>

/** Triggers and plans are not part of the engine. */
function isCompiled(kind: SmallKind): kind is CompiledKind {
  return kind !== 'triggers' && kind !== 'emergency_plans' && kind !== 'zones'
}

/** The table of a zone replaces the one before; without one the runtime is asked. */
function compileRow(policy: Policy, kind: SmallKind, row: Living<SliceRow<SmallKind>>): void {
  if (kind === 'zones')
    setZoneTable(policy, row.id, row.is_deleted ? null : (row as Living<SliceRow<'zones'>>))
  else if (isCompiled(kind)) applyChange(policy, kind, row as never)
}

/** On the wire, `is_deleted` is omitted for living rows. */
function living<Row extends { is_deleted?: boolean }>(row: Row): Row & { is_deleted: boolean } {
  return { ...row, is_deleted: row.is_deleted ?? false }
}
