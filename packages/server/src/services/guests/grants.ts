import {
  type GrantBody,
  invalid,
  mergeMetadata,
  RequestError,
  type Resource,
  resources,
} from '@gatehouse/api'
import type { Row } from '../../database/db.ts'
import { holdLock } from '../../database/locks.ts'
import { findLiving, findObject } from '../../store/find.ts'
import { logObject } from '../../store/write.ts'
import { revealLink } from '../members/member-magic-links.ts'
import { revealPin } from '../members/member-pins.ts'
import type { Work } from '../objects/context.ts'
import { applyEdit, createFrom, deleteLocked } from '../objects/objects.ts'
import { queueInvitations } from './invitations.ts'

/**
 * `POST /grants`: member, groups and credentials in one transaction. With an `external_id` the body says what shall be:
 * groups become exactly the list, credential kinds that exist are kept and shown, missing ones are made.
 */
export async function createGrant({ work, readBody }: { work: Work; readBody(): Row }): Promise<Row> {
  const body = readBody() as unknown as GrantBody
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const member = await within('member.', putMember(inner, body))
    const group_associations = await putGroups(inner, member, body.member_group_ids)
    const { pin: wantedPin, ...others } = body.credentials ?? {}
    const credentials = await putCredentials(inner, member, others)
    if (body.notify) await within('notify', queueInvitations(inner, member))
    // Last: whatever else is wrong is told before anybody learns whether a PIN is taken.
    const pins = wantedPin && (await within('credentials.pin.', putSecret(inner, pin, member, wantedPin)))
    return { ...member, ...credentials, ...(pins && { pins }), group_associations }
  })
}

async function putMember(work: Work, { external_id, member }: GrantBody): Promise<Row> {
  const { metadata = {}, ...given } = member
  const known = external_id === undefined ? undefined : await holdMember(work, external_id)
  if (!known)
    return createFrom(work, resources.member, {
      ...given,
      metadata: mergeMetadata({}, metadata),
      ...(external_id !== undefined && { external_id }),
    })
  return applyEdit(work, resources.member, known, { ...given, metadata, is_deleted: false })
}

/** Two grants with one new external_id at once take turns; the second finds what the first made. */
async function holdMember(work: Work, external_id: string): Promise<Row | undefined> {
  const organization_id = work.caller.organization_id
  await holdLock(work.db, 'grant', organization_id, external_id)
  const [row] = await work.db.query<{ id: string }>(
    'SELECT id FROM members WHERE organization_id = $1 AND external_id = $2',
    [organization_id, external_id],
  )
  return row && findObject(work.db, resources.member, { organization_id }, row.id, { lock: true })
}

async function putGroups(work: Work, member: Row, wanted: readonly string[]): Promise<Row[]> {
  const resource = resources.member_group_association
  const held = await living(work, resource, member)
  for (const association of held)
    if (!wanted.includes(association.member_group_id as string))
      await deleteLocked(work, resource, association)
  const kept = new Set(held.map(association => association.member_group_id))
  for (const [index, member_group_id] of wanted.entries())
    if (!kept.has(member_group_id))
      await within(
        `member_group_ids.${index}`,
        createFrom(work, resource, { member_id: member.id, member_group_id }),
      )
  return living(work, resource, member)
}

/** An error about a part of the grant names its field as the body of the grant calls it. */
async function within<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof RequestError) || error.args.field === undefined) throw error
    throw invalid(path.endsWith('.') ? path + error.args.field : path, error.message)
  }
}

type Credentials = Omit<NonNullable<GrantBody['credentials']>, 'pin'>

async function putCredentials(work: Work, member: Row, wanted: Credentials): Promise<Row> {
  const answer: Row = {}
  if (wanted.emails)
    answer.emails = await within('credentials.emails', putEmails(work, member, wanted.emails))
  if (wanted.magic_link) answer.magic_links = await putSecret(work, link, member, {})
  if (wanted.card) answer.cards = await within('credentials.card.', putCard(work, member, wanted.card))
  return answer
}

/** A kind of credential whose secret can be shown again. */
interface Secret {
  readonly resource: Resource
  readonly column: string
  open(work: Work, row: Row): Row
}

const link: Secret = {
  resource: resources.member_magic_link,
  column: 'secret_ciphertext',
  open: (work, row) => ({ link: revealLink(work.context, row) }),
}
const pin: Secret = {
  resource: resources.member_pin,
  column: 'pin_ciphertext',
  open: (work, row) => ({ pin: revealPin(work.context, row) }),
}

async function putEmails(work: Work, member: Row, wanted: readonly string[]): Promise<Row[]> {
  const held = await living(work, resources.member_email, member)
  const known = new Set(held.map(row => (row.email as string).toLowerCase()))
  for (const email of wanted) {
    if (known.has(email.toLowerCase())) continue
    known.add(email.toLowerCase())
    await createFrom(work, resources.member_email, { member_id: member.id, email })
  }
  return living(work, resources.member_email, member)
}

/** A kind that exists is kept and revealed, with the event of a reveal; a missing one is created. */
async function putSecret(
  work: Work,
  { resource, column, open }: Secret,
  member: Row,
  given: Row,
): Promise<Row[]> {
  const held = await living(work, resource, member, [column])
  if (held.length === 0) return [await createFrom(work, resource, { ...given, member_id: member.id })]
  for (const row of held) await logObject(work, resource, 'reveal', row)
  return held.map(({ [column]: ciphertext, ...row }) => ({
    ...row,
    ...open(work, { ...row, [column]: ciphertext }),
  }))
}

async function putCard(work: Work, member: Row, wanted: NonNullable<Credentials['card']>): Promise<Row[]> {
  const held = await living(work, resources.member_card, member)
  return held.length > 0
    ? held
    : [await createFrom(work, resources.member_card, { ...wanted, member_id: member.id })]
}

function living(work: Work, resource: Resource, member: Row, hidden: readonly string[] = []): Promise<Row[]> {
  const reach = {
    organization_id: work.caller.organization_id,
    parent: { field: 'member_id', id: member.id as string },
  }
  return findLiving(work.db, resource, reach, hidden)
}
