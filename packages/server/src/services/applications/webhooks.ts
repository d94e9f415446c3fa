import { randomBytes } from 'node:crypto'
import { invalid, mayExpand, parseExpand, RequestError, resources } from '@gatehouse-access/api'
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
    requireReadable(work, values.expand)
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    return {
      oauth_application_id: present(work.caller.oauth_application_id, 'the application of a webhook'),
      secret,
      secret_ciphertext: work.context.vault.encrypt(secret, sealedAs.webhook(values.id)),
    }
  },
  async beforeEdit(work, _before, changes) {
    if (changes.url !== undefined) checkUrl(work, changes.url)
    if (changes.expand !== undefined) requireReadable(work, changes.expand)
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

/** Deliveries outlive the token, so what it cannot read is refused here and not left out later. */
function requireReadable({ caller }: Work, expand: readonly string[]): void {
  if (mayExpand(caller.scopes, resources.event, expand)) return
  throw new RequestError(
    'permission_denied',
    'expand names objects that a token with these scopes cannot read',
    {
      args: { reason: 'scope_too_small', scope: 'full_read_only', field: 'expand' },
    },
  )
}

function checkUrl({ context }: Work, url: string): void {
  if (!URL.canParse(url)) throw invalid('url', `url must be an http or https URL, not ${url}`)
  refuseUnreachable(context.config, 'url', url)
}
