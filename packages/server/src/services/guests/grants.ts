import {
  type GrantBody,
  type grantParts,
  type HiddenOf,
  invalid,
  mergeMetadata,
  RequestError,
  type Resource,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import { holdLock } from '../../database/locks.ts'
import { findLiving, findObject } from '../../store/find.ts'
import { logObject } from '../../store/write.ts'
import { revealLink } from '../members/member-magic-links.ts'
import { revealPin } from '../members/member-pins.ts'
import type { ActionInput } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { applyEdit, createFrom, deleteLocked } from '../objects/objects.ts'
import { requireConfinedMember } from '../roles/bounds.ts'
import { queueInvitations } from './invitations.ts'

type Member = StoredOf<Resources['member']>
type GrantInput = Pick<ActionInput<Resource, { body: typeof grantParts }>, 'work' | 'readBody'>

/**
 * `POST /grants`: writes a member, groups and credentials in one transaction. With an `external_id` the body
 * is the desired state: groups become exactly the list, existing credential kinds are kept and shown, missing
 * ones are created.
 */
export async function createGrant({ work, readBody }: GrantInput): Promise<Row> {
  const body = readBody()
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const member = await putMember(inner, body)
    const group_associations = await putGroups(inner, member, body.member_group_ids)
    const { pin: wantedPin, ...others } = body.credentials ?? {}
    const credentials = await putCredentials(inner, member, others)
    if (body.notify) await within('notify', queueInvitations(inner, member))
    // PINs come last: every other error is reported before the caller learns whether a PIN is taken.
    const pins = wantedPin && (await within('credentials.pin.', putPins(inner, member, wantedPin)))
    return { ...member, ...credentials, ...(pins && { pins }), group_associations }
  })
}

async function putMember(work: Work, { external_id, member }: GrantBody): Promise<Member> {
  const { metadata = {}, ...given } = member
  const known = external_id === undefined ? undefined : await holdMember(work, external_id)
  if (known)
    return within(
      'member.',
      applyEdit(work, resources.member, known, { ...given, metadata, is_deleted: false }),
    )
  const values = {
    ...given,
    metadata: mergeMetadata({}, metadata),
    ...(external_id !== undefined && { external_id }),
  }
  return within('member.', createFrom(work, resources.member, values))
}

/** Serializes concurrent grants with the same new external_id: the second finds the member of the first. */
async function holdMember(work: Work, external_id: string): Promise<Member | undefined> {
  const { organization_id, bounds } = work.caller
  await holdLock(work.db, 'grant', organization_id, external_id)
  const [row] = await work.db.query<{ id: string }>(
    'SELECT id FROM members WHERE organization_id = $1 AND external_id = $2',
    [organization_id, external_id],
  )
  const member =
    row && (await findObject(work.db, resources.member, { organization_id, bounds }, row.id, { lock: true }))
  if (row && !member) throw invalid('external_id', `external_id: ${external_id} is taken`)
  if (member) await requireConfinedMember(work, member.id)
  return member
}

async function putGroups(work: Work, member: Member, wanted: readonly string[]): Promise<Row[]> {
  const resource = resources.member_group_association
  const held = await living(work, resource, member)
  for (const association of held)
    if (!wanted.includes(association.member_group_id)) await deleteLocked(work, resource, association)
  const kept = new Set(held.map(association => association.member_group_id))
  for (const [index, member_group_id] of wanted.entries())
    if (!kept.has(member_group_id))
      await within(
        `member_group_ids.${index}`,
        createFrom(work, resource, { member_id: member.id, member_group_id }),
      )
  return living(work, resource, member)
}

/** Rewrites the field of an error to its path in the body of the grant. */
async function within<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof RequestError) || error.args.field === undefined) throw error
    throw invalid(path.endsWith('.') ? path + error.args.field : path, error.message)
  }
}

type Wanted = NonNullable<GrantBody['credentials']>
type Credentials = Omit<Wanted, 'pin'>
type WantedPin = NonNullable<Wanted['pin']>

async function putCredentials(work: Work, member: Member, wanted: Credentials): Promise<Row> {
  const answer: Row = {}
  if (wanted.emails)
    answer.emails = await within('credentials.emails', putEmails(work, member, wanted.emails))
  if (wanted.magic_link) answer.magic_links = await putLinks(work, member)
  if (wanted.card) answer.cards = await within('credentials.card.', putCard(work, member, wanted.card))
  return answer
}

async function putEmails(work: Work, member: Member, wanted: readonly string[]): Promise<Row[]> {
  const held = await living(work, resources.member_email, member)
  const known = new Set(held.map(row => row.email.toLowerCase()))
  for (const email of wanted) {
    if (known.has(email.toLowerCase())) continue
    known.add(email.toLowerCase())
    await createFrom(work, resources.member_email, { member_id: member.id, email })
  }
  return living(work, resources.member_email, member)
}

/** Keeps and reveals existing links, with a reveal event for each. Creates a link if there is none. */
async function putLinks(work: Work, member: Member): Promise<Row[]> {
  const resource = resources.member_magic_link
  const held = await living(work, resource, member, ['secret_ciphertext'])
  if (held.length === 0) return [await createFrom(work, resource, { member_id: member.id })]
  for (const row of held) await logObject(work, resource, 'reveal', row)
  return held.map(({ secret_ciphertext, ...row }) => ({
    ...row,
    link: revealLink(work.context, { ...row, secret_ciphertext }),
  }))
}

async function putPins(work: Work, member: Member, given: WantedPin): Promise<Row[]> {
  const resource = resources.member_pin
  const held = await living(work, resource, member, ['pin_ciphertext'])
  if (held.length === 0) return [await createFrom(work, resource, { ...given, member_id: member.id })]
  for (const row of held) await logObject(work, resource, 'reveal', row)
  return held.map(({ pin_ciphertext, ...row }) => ({
    ...row,
    pin: revealPin(work.context, { ...row, pin_ciphertext }),
  }))
}

async function putCard(work: Work, member: Member, wanted: NonNullable<Credentials['card']>): Promise<Row[]> {
  const held = await living(work, resources.member_card, member)
  return held.length > 0
    ? held
    : [await createFrom(work, resources.member_card, { ...wanted, member_id: member.id })]
}

function living<R extends Resource, Hidden extends HiddenOf<R> & string = never>(
  work: Work,
  resource: R,
  member: Member,
  hidden: readonly Hidden[] = [],
): Promise<StoredOf<R, Hidden>[]> {
  const reach = {
    organization_id: work.caller.organization_id,
    parent: { field: 'member_id', id: member.id },
  }
  return findLiving(work.db, resource, reach, hidden)
}
