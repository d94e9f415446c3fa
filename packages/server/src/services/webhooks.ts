import { randomBytes } from 'node:crypto'
import { parseExpand, resources } from '@gatehouse/api'
import type { Behaviour } from './behaviour.ts'

export const webhookBehaviour: Behaviour = {
  settle(after, before) {
    parseExpand(resources.event, after.expand as string[])
    return after.is_enabled && before?.disabled_reason ? { disabled_reason: null } : {}
  },
  async beforeCreate(work, values) {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    return {
      oauth_application_id: work.caller.oauth_application_id,
      secret,
      secret_ciphertext: work.context.vault.encrypt(secret, `webhook ${values.id}`),
    }
  },
  async afterCreate({ db, caller }, row, values) {
    await db.query('INSERT INTO webhook_lanes (organization_id, webhook_id) VALUES ($1, $2)', [
      caller.organization_id,
      row.id,
    ])
    return { secret: values.secret }
  },
}
