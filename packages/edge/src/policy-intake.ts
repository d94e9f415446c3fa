import { createHash, type Hash } from 'node:crypto'
import type { FromService } from '@gatehouse-access/api'
import type { SlicePolicy } from './policy/slice-policy.ts'
import type { Recorder } from './recorder.ts'
import type { PolicyHead } from './storage/storage.ts'

export type PolicyMessage = FromService<'snapshot_begin' | 'snapshot_part' | 'snapshot_end' | 'delta'>
type PolicyAnswer =
  | { type: 'applied'; version: number; hash: string }
  | { type: 'resync'; reason: string }
  | null

/** A snapshot in progress. */
interface Draft extends Omit<PolicyHead, 'hash'> {
  readonly digest: Hash
  parts: number
}

/**
 * Receives the policy of one device (docs/device-protocol.md, "Policy").
 *
 *   in force ── snapshot_begin ──▶ draft ── part 1, 2, 3 … ── snapshot_end ──▶ in force
 *      │                             └── any message out of sequence ──▶ resync
 *      └── delta in sequence ──▶ in force, also beside a draft;  delta out of sequence ──▶ resync
 *
 * `#latest` has been accepted and is being written. It is used for decisions once it is on disk. After a
 * resync, only a new snapshot is accepted. It is requested once, and again at the next heartbeat if it did
 * not arrive or is incomplete: a request for every message out of sequence would cause ever more of them.
 */
export class PolicyIntake {
  readonly #recorder: Recorder
  readonly #policy: SlicePolicy
  readonly #onAdopted: (head: PolicyHead) => void
  #latest: PolicyHead | undefined
  #inForce: PolicyHead | undefined
  #draft: Draft | undefined
  #hasAsked = false
  /** The draft at the last heartbeat, with its number of parts then. */
  #seen: { readonly draft: Draft | undefined; readonly parts: number } = { draft: undefined, parts: 0 }
  /** The newest generation ever started. */
  #generation: number

  constructor(
    recorder: Recorder,
    policy: SlicePolicy,
    head: PolicyHead | undefined,
    onAdopted: (head: PolicyHead) => void,
  ) {
    this.#recorder = recorder
    this.#policy = policy
    this.#onAdopted = onAdopted
    this.#latest = head
    this.#inForce = head
    this.#generation = head?.generation ?? 0
  }

  /** The policy in force, as reported in `hello`. */
  get head(): PolicyHead | undefined {
    return this.#inForce
  }

  /** Prepares for a new connection. Discards what the old connection delivered only partially. */
  async restart(): Promise<void> {
    this.#draft = undefined
    this.#hasAsked = false
    await this.#recorder.write()
    this.#latest = this.#inForce
  }

  /** Called at each heartbeat. Requests an overdue snapshot again. */
  remind(): PolicyAnswer {
    const draft = this.#draft
    const isStuck = draft !== undefined && draft === this.#seen.draft && draft.parts === this.#seen.parts
    const isMissing = draft === undefined && this.#latest === undefined && this.#hasAsked
    this.#seen = { draft, parts: draft?.parts ?? 0 }
    this.#hasAsked = false
    return isStuck || isMissing ? this.#resync('the snapshot did not arrive') : null
  }

  /** Resolves when the message is on disk. Concurrent messages take effect in the order of arrival. */
  receive(message: PolicyMessage, frame: string): Promise<PolicyAnswer> {
    if (message.type !== 'delta' && this.#isOld(message.version)) return Promise.resolve(null)
    switch (message.type) {
      case 'snapshot_begin':
        return this.#begin(message, frame)
      case 'snapshot_part':
        return this.#addPart(message, frame)
      case 'snapshot_end':
        return this.#end(message, frame)
      default:
        return this.#apply(message, frame)
    }
  }

  /**
   * A snapshot's version is above everything that the device reported or was sent before. A lower version was
   * superseded.
   */
  #isOld(version: number): boolean {
    return version <= Math.max(this.#latest?.version ?? 0, this.#inForce?.version ?? 0)
  }

  async #begin(message: FromService<'snapshot_begin'>, frame: string): Promise<null> {
    const { version, key, pass_keys } = message
    const generation = ++this.#generation
    this.#draft = {
      generation,
      version,
      key,
      pass_keys,
      parts: 0,
      digest: createHash('sha256').update(frame),
    }
    void this.#recorder.write({ type: 'stage', generation })
    return null
  }

  async #addPart({ version, part, put }: FromService<'snapshot_part'>, frame: string): Promise<PolicyAnswer> {
    const draft = this.#draft
    if (draft?.version !== version || part !== draft.parts + 1) return this.#resync('a part out of order')
    draft.parts++
    draft.digest.update(frame)
    await this.#recorder.write({ type: 'stage_rows', generation: draft.generation, put })
    return null
  }

  async #end({ version, parts }: FromService<'snapshot_end'>, frame: string): Promise<PolicyAnswer> {
    const draft = this.#draft
    if (draft?.version !== version || parts !== draft.parts) return this.#resync('an incomplete snapshot')
    this.#draft = undefined
    const { generation, key, pass_keys, digest } = draft
    const head = { generation, version, key, pass_keys, hash: digest.update(frame).digest('hex') }
    this.#latest = head
    // Whoever was erased while the device was away is only in the rows that it replaces.
    const how = this.#inForce ? 'erase' : 'writePolicy'
    await this.#recorder[how]({ type: 'adopt', policy: head }, () => {
      this.#policy.adopt(head)
      this.#putInForce(head)
    })
    return { type: 'applied', version, hash: head.hash }
  }

  async #apply(message: FromService<'delta'>, frame: string): Promise<PolicyAnswer> {
    const { from, to, previous_hash, put, remove, erase } = message
    const before = this.#latest
    const isBelow = this.#draft === undefined || to < this.#draft.version
    if (!isBelow || before?.version !== from || before.hash !== previous_hash)
      return this.#resync('a delta that does not fit')
    const head = { ...before, version: to, hash: createHash('sha256').update(frame).digest('hex') }
    this.#latest = head
    const how = erase?.length ? 'erase' : 'writePolicy'
    // A snapshot that broke off may have left them beside the policy in force.
    if (how === 'erase' && !this.#draft)
      void this.#recorder.write({ type: 'stage', generation: before.generation })
    await this.#recorder[how]({ type: 'apply', put, remove, policy: head }, () => {
      this.#policy.apply(put, remove)
      this.#putInForce(head)
    })
    return { type: 'applied', version: to, hash: head.hash }
  }

  #putInForce(head: PolicyHead): void {
    this.#inForce = head
    this.#onAdopted(head)
  }

  #resync(reason: string): PolicyAnswer {
    this.#draft = undefined
    this.#latest = undefined
    if (this.#hasAsked) return null
    this.#hasAsked = true
    return { type: 'resync', reason }
  }
}
