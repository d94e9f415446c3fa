import { randomBytes } from 'node:crypto'
import { present } from '../../flow/present.ts'
import { sealedAs } from '../../vault/contexts.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Context } from '../objects/context.ts'
import { settleSuspension } from '../objects/suspension.ts'

interface SealedLink {
  readonly id: string
  readonly secret_ciphertext: Uint8Array | null
}

/** The secret is in the fragment: it never reaches a server log, and a GET request alone opens nothing. */
export function revealLink(context: Context, row: SealedLink): string {
  return `${context.config.public_url}/guest#${row.id}_${magicLinkSecret(context, row)}`
}

export function magicLinkSecret({ vault }: Context, { id, secret_ciphertext }: SealedLink): string {
  return vault.decrypt(
    present(secret_ciphertext, 'the secret of a magic link'),
    sealedAs.member_magic_link(id),
  )
}

/** Returns the columns of a new link. */
export function newLink({ vault }: Context, id: string): { secret_ciphertext: Buffer } {
  const secret = randomBytes(32).toString('base64url')
  return { secret_ciphertext: vault.encrypt(secret, sealedAs.member_magic_link(id)) }
}

export const memberMagicLinkBehaviour = behaviour('member_magic_link', {
  settle: settleSuspension,
  beforeCreate: async (work, values) => newLink(work.context, values.id),
  afterCreate: async (work, _row, values) => ({ link: revealLink(work.context, values) }),
})
