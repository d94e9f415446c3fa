import { randomBytes } from 'node:crypto'
import { parseExpand, resources } from '@gatehouse/api'
import type { Behaviour } from './behaviour.ts'

export const webhookBehaviour: Behaviour = {
  settle(after) {
    parseExpand(resources.event, after.expand as string[])
    return {}
  },
  async beforeCreate(work, values) {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    return {
      oauth_application_id: work.caller.oauth_application_id,
      secret,
      secret_ciphertext: work.context.vault.encrypt(secret, `webhook ${values.id}`),
    }
  },
  afterCreate: async (_work, _row, values) => ({ secret: values.secret }),
}
