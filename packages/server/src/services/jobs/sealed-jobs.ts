import { resources } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { findObject } from '../../store/find.ts'
import { sealedAs } from '../../vault/contexts.ts'
import { type OwnKey, openOwnKey, type Vault } from '../../vault/vault.ts'
import type { SealedJob, WholeJob } from './job-type.ts'

interface Needs {
  readonly db: Database
  readonly vault: Vault
}

const hidden = [
  'settings',
  'cursor',
  'maker',
  'key_ciphertext',
  'input_job_id',
  'is_canceling',
  'failure_count',
] as const

/** Returns a job with all that it stores, or undefined if it is gone. */
export function findWhole(
  db: Database,
  organization_id: string,
  id: string,
  lock = false,
): Promise<WholeJob | undefined> {
  return findObject(db, resources.job, { organization_id }, id, { hidden, lock })
}

export async function findSealed(
  { db, vault }: Needs,
  organization_id: string,
  id: string,
): Promise<SealedJob | undefined> {
  const job = await findWhole(db, organization_id, id)
  const key = job && keyOf(vault, job)
  return job && key && { job, key }
}

/** Undefined once the rows and files of the job are removed. */
export function keyOf(vault: Vault, { id, key_ciphertext }: WholeJob): OwnKey | undefined {
  return key_ciphertext === null ? undefined : openOwnKey(vault.decrypt(key_ciphertext, sealedAs.job(id)))
}
