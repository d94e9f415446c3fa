import { createHash } from 'node:crypto'
import { largestImport, RequestError } from '@gatehouse-access/api'
import { EncodingFinder } from '@gatehouse-access/core'
import { openOwnKey } from '../../vault/vault.ts'
import { type JobSeed, seedJob } from '../jobs/create-job.ts'
import { type DataOf, storeInput } from '../jobs/job-data.ts'
import type { Work } from '../objects/context.ts'

/** Bytes of a chunk: what is decrypted and read without a pause. */
const chunkBytes = 64 * 1024

/** Stores a file as it comes, encrypted and in chunks, for a job that does not exist yet. */
export class Upload {
  readonly seed: JobSeed
  readonly of: DataOf
  readonly finder = new EncodingFinder()
  readonly #work: Work
  readonly #hash = createHash('sha256')
  #held: Buffer[] = []
  #size = 0
  #chunks = 0
  bytes = 0

  constructor(work: Work) {
    this.#work = work
    this.seed = seedJob(work.now)
    this.of = {
      organization_id: work.caller.organization_id,
      job_id: this.seed.id,
      key: openOwnKey(this.seed.key),
    }
  }

  async take(piece: Buffer): Promise<void> {
    this.bytes += piece.length
    if (this.bytes > largestImport) throw tooLarge()
    this.finder.read(piece)
    this.#hash.update(piece)
    this.#held.push(piece)
    this.#size += piece.length
    while (this.#size >= chunkBytes) await this.#store(chunkBytes)
  }

  /** Stores the rest. */
  async end(): Promise<void> {
    if (this.#size > 0) await this.#store(this.#size)
  }

  async #store(size: number): Promise<void> {
    const all = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held)
    this.#held = size < all.length ? [all.subarray(size)] : []
    this.#size = all.length - size
    await storeInput(this.#work.db, this.of, this.#chunks++, all.subarray(0, size), this.#work.now)
  }

  /** What tells this file from others, once all of it was read. */
  digest(): string {
    return this.#hash.digest('hex')
  }

  /** Removes what was stored, of a file that becomes no job. */
  async discard(): Promise<void> {
    await this.#work.db.query('DELETE FROM job_inputs WHERE organization_id = $1 AND job_id = $2', [
      this.of.organization_id,
      this.of.job_id,
    ])
  }
}

export function tooLarge(): RequestError {
  return new RequestError(
    'body_too_large',
    `a file to import can have ${largestImport / 1024 / 1024} MiB; split it into several`,
  )
}
