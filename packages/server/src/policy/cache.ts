import type { Policy, Steps } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import type { Moment } from '../database/moment.ts'
import { inSlices, longestAnswer } from '../flow/slices.ts'
import type { ZoneData } from '../zones/zone-data.ts'
import {
  applyDelta,
  type Changed,
  everything,
  findChanges,
  mostChanges,
  type Part,
  readDelta,
} from './changes.ts'
import { asOfOneMoment, loadPolicy } from './load.ts'
import { Readers } from './readers.ts'

interface Entry {
  readonly policy: Policy
  moment: Moment
  size: number
}

/** Maximum number of rows over all organizations. The least recently used organization is evicted first. */
const capacity = 5_000_000

/**
 * Compiled policies of the organizations in use. `fresh` returns a policy that includes everything committed
 * before the call: it never trusts a cache that may lag.
 */
export class PolicyCache {
  #db: Database
  #zones: ZoneData
  #entries = new Map<string, Entry>()
  #refreshes = new Map<string, { running: Promise<Policy>; next: Promise<Policy> | undefined }>()
  #turns = new Map<string, Promise<unknown>>()
  #readers = new Readers()
  #part: Part

  constructor(db: Database, zones: ZoneData, part = everything) {
    this.#db = db
    this.#zones = zones
    this.#part = part
  }

  /** Evaluates a possibly long question on a fresh policy, in steps. The policy does not change meanwhile. */
  async ask<Answer>(organizationId: string, question: (policy: Policy) => Steps<Answer>): Promise<Answer> {
    return this.#read(organizationId, await this.fresh(organizationId), question)
  }

  /** Like `ask`, on a policy that also includes a member that may be missing because it is deleted. */
  async askAbout<Answer>(
    organizationId: string,
    memberId: string,
    question: (policy: Policy) => Steps<Answer>,
  ): Promise<Answer> {
    return this.#read(organizationId, await this.including(organizationId, memberId), question)
  }

  #read<Answer>(
    organizationId: string,
    policy: Policy,
    question: (policy: Policy) => Steps<Answer>,
  ): Promise<Answer> {
    return this.#readers.hold(policy, inSlices(organizationId, question(policy), longestAnswer))
  }

  /**
   * Returns a fresh policy. Use it at once, before awaiting anything: the next call changes it. Calls that
   * arrive during a refresh share the next one, because the running one may have missed their change.
   */
  fresh(organizationId: string): Promise<Policy> {
    const refresh = this.#refreshes.get(organizationId)
    if (!refresh) return this.#start(organizationId)
    refresh.next ??= refresh.running.catch(() => undefined).then(() => this.#start(organizationId))
    return refresh.next
  }

  /** Returns a fresh policy that also includes a member that may be missing because it is deleted. */
  including(organizationId: string, memberId: string): Promise<Policy> {
    return this.#takeTurn(organizationId, async () => {
      const entry = this.#entries.get(organizationId) ?? (await this.#load(organizationId))
      return this.#update(organizationId, entry, [{ type: 'member', id: memberId }])
    })
  }

  /** Runs work one at a time per organization, so that older rows never overwrite newer ones. */
  #takeTurn<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(organizationId)
    const turn = before ? before.then(work, work) : work()
    this.#turns.set(organizationId, turn)
    const end = () => {
      if (this.#turns.get(organizationId) === turn) this.#turns.delete(organizationId)
    }
    turn.then(end, end)
    return turn
  }

  #start(organizationId: string): Promise<Policy> {
    const running = this.#takeTurn(organizationId, () => this.#refresh(organizationId))
    const state = { running, next: undefined as Promise<Policy> | undefined }
    this.#refreshes.set(organizationId, state)
    const end = () => {
      if (this.#refreshes.get(organizationId) === state && !state.next) this.#refreshes.delete(organizationId)
    }
    running.then(end, end)
    return running
  }

  async #refresh(organizationId: string): Promise<Policy> {
    const entry = this.#entries.get(organizationId)
    if (!entry) return (await this.#load(organizationId)).policy
    const { moment, changed } = await findChanges(this.#db, organizationId, entry.moment, this.#part)
    if (!changed || changed.length > mostChanges) return (await this.#load(organizationId)).policy
    if (changed.length > 0) return this.#update(organizationId, entry)
    // Otherwise every later refresh would scan all events since the last change again.
    entry.moment = moment
    this.#touch(organizationId, entry)
    return entry.policy
  }

  /** Rereads what has changed, and also what is `named`. */
  async #update(organizationId: string, entry: Entry, named: readonly Changed[] = []): Promise<Policy> {
    const { moment, delta } = await asOfOneMoment(this.#db, async db => {
      const { moment, changed } = await findChanges(db, organizationId, entry.moment, this.#part)
      const all = changed && [...changed, ...named]
      return { moment, delta: all && (await readDelta(db, organizationId, all, this.#part)) }
    })
    if (!delta) return this.#loadIncluding(organizationId, named)
    // Others wait for this turn, so nobody reads the policy while it changes. If the update fails halfway,
    // the entry stays removed.
    this.#entries.delete(organizationId)
    await this.#readers.none(entry.policy)
    await inSlices(organizationId, applyDelta(entry.policy, delta))
    this.#entries.set(organizationId, entry)
    entry.moment = moment
    entry.size += delta.reduce((sum, { rows }) => sum + rows.length, 0)
    this.#touch(organizationId, entry)
    return entry.policy
  }

  async #loadIncluding(organizationId: string, named: readonly Changed[]): Promise<Policy> {
    const entry = await this.#load(organizationId)
    return named.length > 0 ? this.#update(organizationId, entry, named) : entry.policy
  }

  async #load(organizationId: string): Promise<Entry> {
    const entry = { ...(await loadPolicy(this.#db, this.#zones, organizationId, this.#part.sources)) }
    this.#touch(organizationId, entry)
    return entry
  }

  #touch(organizationId: string, entry: Entry): void {
    this.#entries.delete(organizationId)
    this.#entries.set(organizationId, entry)
    let total = [...this.#entries.values()].reduce((sum, { size }) => sum + size, 0)
    for (const [oldest, { size }] of this.#entries) {
      if (total <= capacity || oldest === organizationId) return
      this.#entries.delete(oldest)
      total -= size
    }
  }
}
