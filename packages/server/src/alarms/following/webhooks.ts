import type { Database } from '../../database/db.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import { followTurns, type Turn } from '../begin-conditions.ts'
import { type Author, conditionKey } from '../condition.ts'

interface Webhook {
  readonly id: string
  readonly is_failing: boolean
}

/** A webhook that the service has turned off, until somebody turns it on or deletes it. */
export async function followWebhooks(
  db: Database,
  author: Author,
  events: readonly StoredEvent[],
): Promise<void> {
  const edits = events.filter(({ object, verb }) => object.type === 'webhook' && verb === 'edit')
  if (edits.length === 0) return
  const last = new Map(edits.map(({ created_at, object }) => [object.webhook_id ?? '', created_at]))
  const webhooks = await db.query<Webhook>(
    `SELECT id, NOT is_enabled AND disabled_reason = 'failing' AS is_failing FROM webhooks
     WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT is_deleted`,
    [author.caller.organization_id, [...last.keys()]],
  )
  const turns = webhooks.map(({ id, is_failing }): Turn => {
    const condition_key = conditionKey('webhook_disabled', id)
    const at = last.get(id) ?? author.now
    return is_failing
      ? { turn: 'begin', type: 'webhook_disabled', condition_key, webhook_id: id, started_at: at }
      : { turn: 'end', condition_key, ended_at: at }
  })
  await followTurns(db, author, turns)
}
