import { randomBytes } from 'node:crypto'
import type { Row } from '../../database/db.ts'
import { sealedAs } from '../../vault/contexts.ts'
import type { Behaviour, Context } from '../objects/context.ts'

/** The secret stays in the fragment: it never reaches a server log, and no GET opens anything. */
export function revealLink(context: Context, row: Row): string {
  return `${context.config.public_url}/guest#${row.id}_${magicLinkSecret(context, row)}`
}

export function magicLinkSecret({ vault }: Context, { id, secret_ciphertext }: Row): string {
  return vault.decrypt(secret_ciphertext as Uint8Array, sealedAs.member_magic_link(String(id)))
}

export const memberMagicLinkBehaviour: Behaviour = {
  async beforeCreate(work, values) {
    const secret = randomBytes(32).toString('base64url')
    return {
      secret_ciphertext: work.context.vault.encrypt(secret, sealedAs.member_magic_link(String(values.id))),
    }
  },
  afterCreate: async (work, _row, values) => ({ link: revealLink(work.context, values) }),
}
