import {
  type Endpoint,
  endpoints,
  type Field,
  isColumn,
  personalOf,
  type Resource,
  resources,
} from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '@gatehouse-access/server'
import type { Tenant, World } from '@gatehouse-access/testkit'
import { insertNew } from '../../packages/server/src/services/objects/new-object.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { requester, succeed } from '../properties/ask.ts'
import { type Ids, plantOneOfEach } from '../properties/one-of-each.ts'
import { pathOf } from '../properties/plain-bodies.ts'
import { type Body, validBodies } from '../properties/valid-bodies.ts'
import type { CanaryWords } from './canary-words.ts'

/** One object of every kind, with words of their own in every text that people type, a second member included. */
export async function writeEverywhere(w: World, tenant: Tenant, words: CanaryWords): Promise<void> {
  const ask = requester(w.url, tenant.token)
  const ids = await plantOneOfEach(ask, tenant, w)
  const bodies = validBodies(ids)
  for (const endpoint of endpoints) {
    const body = wordedEdit(endpoint, bodies[endpoint.id]?.[0], words)
    if (body) await succeed(ask, { method: 'PATCH', path: pathOf(endpoint, ids), body })
  }
  const post = (path: string, body: object) => succeed<{ id: string }>(ask, { method: 'POST', path, body })
  await writeByActions(post, ids, words)
  await holdWith(w, tenant, ids, words)
}

/** Only an owner's session sets a hold. */
async function holdWith({ server }: World, { organization_id }: Tenant, { member }: Ids, words: CanaryWords) {
  const { db, clock } = server.context
  const now = clock.now()
  const work = { context: server.context, db, caller: serviceCaller(organization_id), now }
  await insertNew(work, resources.legal_hold, {
    name: words.word(),
    reference: words.word(),
    member_ids: [member],
    expires_at: addSeconds(now, 24 * 3600),
    metadata: words.metadata(),
  })
}

/** What no edit takes. */
async function writeByActions(
  post: (path: string, body: object) => Promise<{ id: string }>,
  { gadget, calendar, member_group }: Ids,
  { word, email, metadata }: CanaryWords,
) {
  await post('/grants', {
    external_id: word(),
    member: { name: word(), metadata: metadata() },
    member_group_ids: [member_group],
    credentials: { emails: [email()] },
  })
  await post('/notification_targets', { kind: 'email', name: word(), address: email() })
  await post(`/gadgets/${gadget}/mode`, { mode: 'unlocked', lasts: 'indefinitely', reason: word() })
  const ics = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:${word()}\r\nDTSTART;VALUE=DATE:20271224\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
  await post(`/calendars/${calendar}/days/import`, { ics })
  const plain = { type: 'lockdown', targets: { gadget_ids: [gadget] } }
  const { id } = await post('/emergencies', { ...plain, name: word(), reason: word(), metadata: metadata() })
  await post(`/emergencies/${id}/end`, { reason: word() })
}

function wordedEdit({ body, resource }: Endpoint, valid: Body | undefined, words: CanaryWords) {
  // Its session is an owner's, see `holdWith`; the address is that of another kind of target.
  if (body !== 'edit' || resource.kind === 'legal_hold') return undefined
  const worded = Object.entries<Field>(resource.fields)
    .filter(([name, field]) => field.edit && isTyped(name, field) && name !== 'address')
    .map(([name, field]) => [name, wordsFor(name, field, valid?.[name], words)])
  return worded.length > 0 && { ...Object.fromEntries(worded), ...switches(resource) }
}

/** Reasons are kept only with what they are reasons for. */
function switches({ fields }: Resource): Body {
  return {
    ...('suspended_reason' in fields && { is_suspended: true }),
    ...('lost_reason' in fields && { is_lost: true }),
  }
}

function wordsFor(name: string, { type }: Field, valid: unknown, words: CanaryWords): unknown {
  if (name === 'metadata') return words.metadata()
  if (Array.isArray(valid)) return valid.map(part => ({ ...part, name: words.word() }))
  return type.schema.format === 'email' ? words.email() : words.word()
}

/** Whether it is what people type. A language is one of few. */
function isTyped(name: string, field: Field): boolean {
  return name !== 'language' && typed.has(personalOf(field))
}
const typed = new Set<unknown>(['free', 'contact', 'identity'])

/** Returns the columns for what people type, by the declarations, in which none of the words stands. */
export async function listWordless(
  db: Pick<Database, 'query'>,
  words: readonly string[],
  kinds: readonly Resource[] = Object.values<Resource>(resources),
): Promise<string[]> {
  const wordless: string[] = []
  for (const { kind, table, fields } of kinds)
    for (const [name, field] of Object.entries(fields)) {
      if (!('id' in fields) || !isColumn(field) || !isTyped(name, field)) continue
      const found = await db.query(
        `SELECT 1 FROM ${table} WHERE ${name}::text LIKE ANY($1::text[]) LIMIT 1`,
        [words.map(word => `%${word}%`)],
        { prepare: false },
      )
      if (found.length === 0) wordless.push(`${kind}.${name}`)
    }
  return wordless
}
