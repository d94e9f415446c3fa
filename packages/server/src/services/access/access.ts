import {
  type accessCheckParts,
  invalid,
  type Resource,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import {
  type Explanation,
  type ListSteps,
  type StandingRule,
  type Steps,
  toMicroseconds,
  whatEverMayUseSteps,
  whatMayUseSteps,
  whoEverMayUseSteps,
  whoMayUseSteps,
} from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import { present } from '../../flow/present.ts'
import { triedWithin } from '../../store/bounds.ts'
import type { Caller } from '../../store/caller.ts'
import { openCursor, sealCursor } from '../../store/cursor.ts'
import { findObject } from '../../store/find.ts'
import type { Page } from '../../store/list.ts'
import type { ActionInput, InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'
import { explainNow, findHolder } from './decisions.ts'
import { findGrants } from './granted-by.ts'
import { findRulesAsOf } from './rules-as-of.ts'

type CheckInput = Pick<ActionInput<Resource, { body: typeof accessCheckParts }>, 'work' | 'readBody'>

/** `POST /access_checks`: predicts an access decision. A dry run that writes nothing. */
export async function checkAccess({ work, readBody }: CheckInput): Promise<Row> {
  const question = readBody()
  if ((question.member_id === undefined) === (question.credential_id === undefined))
    throw invalid('member_id', 'give exactly one of member_id and credential_id')
  const gadget = await findIn(work, 'gadget', question.gadget_id)
  if (question.member_id !== undefined) await findIn(work, 'member', question.member_id)
  if (question.device_id !== undefined) await findIn(work, 'device', question.device_id)
  if (!gadget.actions.some(action => action.id === question.action_id))
    throw invalid('action_id', `action_id: the gadget has no action '${question.action_id}'`)
  await requireHolder(work, question.credential_id)
  const explained = await explainNow(work, question)
  const place = { site_id: gadget.site_id, is_door: gadget.door !== null }
  const { credential_id, at } = question
  const member_id = question.member_id ?? (at && (await findHolder(work, credential_id ?? '')))
  const rules_as_of = await findRulesAsOf(work, { at, member_id, gadget_id: gadget.id }, place, explained)
  return { ...shownTo(work.caller, explained), rules_as_of }
}

/** A credential says whose it is, so whoever does not see the member does not see the credential. */
async function requireHolder(work: Work, credentialId: string | undefined): Promise<void> {
  if (credentialId === undefined || !work.caller.bounds) return
  const member_id = await findHolder(work, credentialId)
  if (member_id === undefined || !(await isSeen(work, member_id)))
    throw invalid('credential_id', 'credential_id: there is no credential with this id')
}

async function isSeen({ db, caller }: Work, member_id: string): Promise<boolean> {
  const { organization_id, bounds } = caller
  return (await findObject(db, resources.member, { organization_id, bounds }, member_id)) !== undefined
}

/** Administrators and applications see which emergencies there are. */
function shownTo(caller: Caller, { door, ...all }: Explanation): Row {
  const isHidden = caller.user_id !== undefined && !caller.scopes.includes('full_read_write')
  const explained = caller.bounds ? { ...all, rules: triedWithin(caller.bounds, all.rules) } : all
  return { ...explained, door: door ? { ...door, ...(isHidden && { emergency_ids: [] }) } : null }
}

async function findIn<K extends 'gadget' | 'member' | 'device'>(
  work: Work,
  kind: K,
  id: string,
): Promise<StoredOf<Resources[K]>> {
  const resource: Resources[K] = resources[kind]
  const { organization_id, bounds } = work.caller
  const row = await findObject(work.db, resource, { organization_id, bounds }, id)
  if (!row) throw invalid(`${kind}_id`, `${kind}_id: there is no ${kind} with this id`)
  return row
}

/** `GET /gadgets/{id}/access`: the members who may use an action of the gadget. */
export async function listMembersWithAccess({
  work,
  id,
  target,
  query,
}: InputOf<'gadget', 'access'>): Promise<Page<object>> {
  const gadget = await getObject(work, target, id)
  const { at, limit = 20, cursor, access_method, ever = false } = query
  const actions = gadget.actions.map(action => action.id)
  const action_id = query.action_id ?? actions[0]
  if (action_id === undefined) return { data: [], has_next: false }
  if (!actions.includes(action_id))
    throw invalid('action_id', `action_id: the gadget has no action '${action_id}'`)
  const bound = ['who', id, action_id, at, access_method, ...(ever ? ['ever'] : [])]
  const after = cursor === undefined ? undefined : String(openCursor(bound, cursor)[0])
  const asked = {
    gadget_id: id,
    action_id,
    at: toMicroseconds(at ?? work.now),
    ...(access_method && { access_method }),
    ...(after !== undefined && { after }),
  }
  const page = await work.context.policies.ask(work.caller.organization_id, policy =>
    takePage((ever ? whoEverMayUseSteps : whoMayUseSteps)(policy, asked), limit, row =>
      sealCursor(bound, [row.member_id]),
    ),
  )
  const seen = work.caller.bounds ? { ...page, data: await onlySeen(work, page.data) } : page
  return withGrants(work, at, seen, row => row.member_id)
}

/** Everybody may pass a door that is held open, members of other sites too. */
async function onlySeen<Item extends { readonly member_id: string }>(
  work: Work,
  items: Item[],
): Promise<Item[]> {
  const seen = await Promise.all(items.map(({ member_id }) => isSeen(work, member_id)))
  return items.filter((_, index) => seen[index])
}

/** `GET /members/{id}/access`: the gadget actions a member may use. */
export async function listGadgetsWithAccess({
  work,
  id,
  target,
  query,
}: InputOf<'member', 'access'>): Promise<Page<object>> {
  await getObject(work, target, id)
  const { at, limit = 20, cursor, access_method, ever = false } = query
  const bound = ['what', id, at, access_method, ...(ever ? ['ever'] : [])]
  const [gadget_id, action_id] = cursor === undefined ? [] : openCursor(bound, cursor).map(String)
  const asked = {
    member_id: id,
    at: toMicroseconds(at ?? work.now),
    ...(access_method && { access_method }),
    ...(gadget_id && action_id && { after: { gadget_id, action_id } }),
  }
  const page = await work.context.policies.ask(work.caller.organization_id, policy =>
    takePage((ever ? whatEverMayUseSteps : whatMayUseSteps)(policy, asked), limit, row =>
      sealCursor(bound, [row.gadget_id, row.action_id]),
    ),
  )
  const { bounds } = work.caller
  const seen = bounds
    ? { ...page, data: page.data.filter(({ gadget_id }) => bounds.gadget_ids.has(gadget_id)) }
    : page
  return withGrants(work, at, seen, () => id)
}

/** Adds to each rule since when it concerns the member, and who decided that. */
async function withGrants<Item extends WithRules>(
  { db, caller, now }: Work,
  at: string | undefined,
  page: Page<Item>,
  memberOf: (item: Item) => string,
): Promise<Page<Item>> {
  const belonging = (item: Item, { member_group_id }: StandingRule) => ({
    member_id: memberOf(item),
    member_group_id,
  })
  const asked = page.data.flatMap(item => (item.rules ?? []).map(rule => belonging(item, rule)))
  const { organization_id } = caller
  const grantOf = await findGrants(db, { organization_id, at: at ?? now }, asked)
  const tell = (item: Item) =>
    item.rules?.map(rule => ({ ...rule, ...grantOf(belonging(item, rule)) })) ?? null
  return { ...page, data: page.data.map(item => ({ ...item, rules: tell(item) })) }
}

interface WithRules {
  readonly rules: readonly StandingRule[] | null
}

function* takePage<Item extends object>(
  found: ListSteps<Item>,
  limit: number,
  cursorAfter: (item: Item) => string,
): Steps<Page<Item & WithRules>> {
  const data: (Item & WithRules)[] = []
  for (const item of found) {
    if (item === undefined) yield
    else if (data.length < limit) data.push({ rules: null, ...item })
    else return { data, has_next: true, cursor_next: cursorAfter(present(data.at(-1), 'an item')) }
  }
  return { data, has_next: false }
}
