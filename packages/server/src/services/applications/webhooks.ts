import { randomBytes } from 'node:crypto'
import { invalid, parseExpand, resources } from '@gatehouse-access/api'
import { present } from '../../flow/present.ts'
import { refuseUnreachable } from '../../outbound/refuse-unreachable.ts'
import { sealedAs } from '../../vault/contexts.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'

export const webhookBehaviour = behaviour('webhook', {
  settle(after, before) {
    parseExpand(resources.event, after.expand)
    return after.is_enabled && before?.disabled_reason ? { disabled_reason: null } : {}
  },
  async beforeCreate(work, values) {
    checkUrl(work, values.url)
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    return {
      oauth_application_id: present(work.caller.oauth_application_id, 'the application of a webhook'),
      secret,
      secret_ciphertext: work.context.vault.encrypt(secret, sealedAs.webhook(values.id)),
    }
  },
  async beforeEdit(work, _before, changes) {
    if (changes.url !== undefined) checkUrl(work, changes.url)
    return {}
  },
  async afterCreate({ db, caller }, row, values) {
    await db.query('INSERT INTO webhook_lanes (organization_id, webhook_id) VALUES ($1, $2)', [
      caller.organization_id,
      row.id,
    ])
    return { secret: values.secret }
  },
})

function checkUrl({ context }: Work, url: string): void {
  if (!URL.canParse(url)) throw invalid('url', `url must be an http or https URL, not ${url}`)
  refuseUnreachable(context.config, 'url', url)
}
