import { present } from '../../../flow/present.ts'
import { digestFor } from '../../../vault/contexts.ts'
import type { Context } from '../../objects/context.ts'

/** Stands for the member or card that a row of a dry run would make, so that it is noticed if somebody makes it meanwhile. */
export function digestOfKey({ vault }: Pick<Context, 'vault'>, jobId: string, key: string): string {
  return present(vault.digests(key, digestFor.import_key(jobId))[0], 'a digest').toString('hex')
}
