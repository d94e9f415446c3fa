import {
  answeredResource,
  mostCounted,
  parseShape,
  type Resource,
  resourceOf,
  resources,
} from '@gatehouse-access/api'
import type { Database, Row } from '../../database/db.ts'
import { jsonOf } from '../../flow/write-json.ts'
import { countPinLookup } from '../../services/members/pin-lookups.ts'
import type { ActionInput } from '../../services/objects/action.ts'
import { deleteTree } from '../../services/objects/delete-tree.ts'
import { etagOf } from '../../services/objects/etag.ts'
import { findAsked } from '../../services/objects/find-asked.ts'
import {
  createObject,
  deleteObject,
  editObject,
  getObject,
  notFound,
} from '../../services/objects/objects.ts'
import { editTree } from '../../services/objects/restore-tree.ts'
import { countEvents } from '../../store/events/count-events.ts'
import { type Expanded, expandObjects, listsOf } from '../../store/expand.ts'
import { findObject } from '../../store/find.ts'
import { countObjects, listObjects } from '../../store/list.ts'
import { tellRows } from '../../store/tell.ts'
import { refuseUnknownZones } from '../../zones/tell-zones.ts'
import { bodyOf } from '../kit/body.ts'
import { toRequestError } from '../kit/errors.ts'
import { handlerOf } from './actions.ts'
import { type Answer, type Exchange, isEmpty, ownId, workOf } from './exchange.ts'
import { checkKey, runClaimed, runOnce } from './idempotency.ts'

/** Reads one object, outside of any transaction. */
export async function read(exchange: Exchange): Promise<void> {
  const { db } = exchange
  const { resource, reach } = exchange.target
  const object = await findObject(db, resource, reach, ownId(exchange))
  if (!object) throw notFound(resource)
  const answer = answerOf(exchange, db, object)
  exchange.answer = answer instanceof Promise ? await answer : answer
}

export async function readPage(exchange: Exchange): Promise<void> {
  const { db } = exchange
  const { reader } = exchange.service.context
  const { resource } = exchange.target
  const { page, expanded } = await (resource === resources.event
    ? reader.read(from => readPageFrom(exchange, from))
    : readPageFrom(exchange, db))
  exchange.answer = { text: await textOf(exchange, page, expanded), headers: {} }
}

async function readPageFrom(exchange: Exchange, db: Database) {
  const { resource, reach } = exchange.target
  const { context } = exchange.service
  if (reach.parent) await requireParent(exchange, db, resource, reach.parent.id)
  refuseUnknownZones(context, resource, exchange.list)
  const query = await findAsked(db, context, reach, exchange.list)
  const page = await listObjects(db, resource, reach, query)
  if (query.with_count)
    page.count = await (resource === resources.event
      ? countEvents(db, reach, query, mostCounted)
      : countObjects(db, resource, reach, query, mostCounted))
  await tellRows({ db, context }, resource, page.data)
  const expanded = isEmpty(exchange.list.expand)
    ? undefined
    : await expandObjects({ db, context }, resource, reach, page.data, exchange.list.expand)
  return { page, expanded }
}

/** A response without list fields and with few embedded objects is small, so it is not traversed. */
function textOf({ target }: Exchange, answer: object, expanded?: Expanded): string | Promise<string> {
  const isSmall = !expanded || (expanded.objects <= fewObjects && expanded.listed <= shortLists)
  if (isSmall && listsOf(target.resource).length === 0) return JSON.stringify(answer)
  return jsonOf(target.reach.organization_id, answer)
}

const fewObjects = 250
const shortLists = 32 * 1024

async function requireParent(
  exchange: Exchange,
  db: Database,
  { parent }: Resource,
  id: string,
): Promise<void> {
  if (!parent) return
  const reach = { ...exchange.target.reach, parent: undefined }
  await getObject(workOf(exchange, db), { resource: resourceOf(parent), reach }, id)
}

/** Performs a change. With an Idempotency-Key, the change and the key are written in one transaction. */
export async function change(exchange: Exchange): Promise<void> {
  const { context } = exchange.service
  // An endpoint without a body never reads it, so a malformed one would be accepted.
  if (!exchange.endpoint.body) bodyOf(exchange.request)
  const key = exchange.endpoint.method === 'POST' ? exchange.request.headers['idempotency-key'] : undefined
  try {
    exchange.answer =
      key === undefined
        ? await answerChange(exchange, exchange.db)
        : await runOnce(exchange, String(key), db => answerChange(exchange, db))
  } catch (error) {
    const isTold =
      exchange.has_looked_up_pin && !exchange.onPinLookup && toRequestError(error, '').status < 500
    if (isTold) await countPinLookup(context, exchange.caller)
    throw error
  }
  // Applications own webhooks and their deliveries, so a delivery may now be due.
  if (exchange.endpoint.resource.owned_by_application) context.deliveries.notify()
}

async function answerChange(exchange: Exchange, db: Database): Promise<Answer> {
  return answerOf(exchange, db, await produce(exchange, db))
}

/** The ETag covers the object alone, not what is embedded. Synchronous unless objects are embedded or doors told of. */
function answerOf(exchange: Exchange, db: Database, object: Row): Answer | Promise<Answer> {
  const { context } = exchange.service
  const told = 'id' in object ? tellRows({ db, context }, exchange.target.resource, [object]) : undefined
  return told ? told.then(() => answerTold(exchange, db, object)) : answerTold(exchange, db, object)
}

function answerTold(exchange: Exchange, db: Database, object: Row): Answer | Promise<Answer> {
  const { resource, reach } = exchange.target
  const { context } = exchange.service
  const headers = 'id' in object ? { etag: etagOf(resource, object) } : none
  const answer = () => ({ text: JSON.stringify(object), headers })
  if (isEmpty(exchange.expand)) return answer()
  return expandObjects({ db, context }, resource, reach, [object], exchange.expand).then(async expanded => ({
    text: await textOf(exchange, object, expanded),
    headers,
  }))
}

const none: Answer['headers'] = {}

function produce(exchange: Exchange, db: Database): Promise<Row> {
  const { endpoint, request } = exchange
  const work = workOf(exchange, db)
  const target = exchange.target
  const readBody = () => bodyOf(request)
  switch (endpoint.verb) {
    case 'create':
      return createObject(work, target, readBody)
    case 'edit':
      return edit(exchange, db)
    case 'delete':
      return remove(exchange, db)
    default:
      return act(exchange, db)
  }
}

function edit(exchange: Exchange, db: Database): Promise<Row> {
  const [work, target, id] = [workOf(exchange, db), exchange.target, ownId(exchange)]
  const readBody = () => bodyOf(exchange.request)
  const if_match = exchange.request.headers['if-match']
  if (!target.resource.children) return editObject(work, target, id, readBody, if_match)
  return editTree(work, target, id, readBody, { cascade: exchange.query.cascade === true, if_match })
}

function remove(exchange: Exchange, db: Database): Promise<Row> {
  const [work, target, id] = [workOf(exchange, db), exchange.target, ownId(exchange)]
  const if_match = exchange.request.headers['if-match']
  if (!target.resource.children) return deleteObject(work, target, id, if_match)
  const { cascade, dry_run } = exchange.query
  return deleteTree(work, target, id, { cascade: cascade === true, dry_run: dry_run === true, if_match })
}

function act(exchange: Exchange, db: Database): Promise<Row> {
  const { endpoint } = exchange
  const action = handlerOf(endpoint.id)
  if (!action) throw new Error(`endpoint ${endpoint.id} has no action`)
  return action(inputOf(exchange, db))
}

function inputOf(exchange: Exchange, db: Database): ActionInput {
  const { endpoint, request, ids, query } = exchange
  const { body } = endpoint
  const readBody = () => (typeof body === 'object' ? parseShape(body, bodyOf(request), '') : {})
  return { work: workOf(exchange, db), target: exchange.target, id: ownId(exchange), ids, query, readBody }
}

/** Answers a query that changes nothing with a computed page or a single result. */
export async function answerQuery(exchange: Exchange): Promise<void> {
  const { db } = exchange
  const { context } = exchange.service
  const key = exchange.request.headers['idempotency-key']
  if (key !== undefined) checkKey(String(key))
  const query = handlerOf(exchange.endpoint.id)
  if (!query) throw new Error(`endpoint ${exchange.endpoint.id} has no query`)
  const answer = await query(inputOf(exchange, db))
  const rows = Array.isArray(answer.data) ? answer.data : []
  await expandObjects(
    { db, context },
    answeredResource(exchange.endpoint) ?? exchange.endpoint.resource,
    exchange.target.reach,
    rows,
    exchange.expand,
  )
  exchange.answer = { text: await jsonOf(exchange.caller.organization_id, answer), headers: {} }
}

/** Runs a command. No transaction can span hardware: the key is claimed before, the answer stored after. */
export async function command(exchange: Exchange): Promise<void> {
  const { context } = exchange.service
  const key = exchange.request.headers['idempotency-key']
  const run = async (): Promise<Answer> => ({
    text: JSON.stringify(await act(exchange, context.db)),
    headers: {},
  })
  exchange.answer = key === undefined ? await run() : await runClaimed(exchange, String(key), run)
}
