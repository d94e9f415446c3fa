import type { Parts } from './kit/compounds.ts'
import type { Action, InBulk, PageOf, QueryParameter, Resource, Scope, Verb } from './kit/resource.ts'
import { flag, reference } from './kit/scalars.ts'
import type { Type } from './kit/type.ts'
import { spell, withArticle } from './kit/words.ts'
import { type Kind, prefixes } from './prefixes.ts'
import { accessCheck as accessCheckAnswer, accessCheckParts } from './resources/access.ts'
import { bulkAnswer, bulkEditParts, bulkParts } from './resources/bulk.ts'
import { exportParts } from './resources/export.ts'
import { grantParts } from './resources/grant.ts'
import { resourceOf, resources } from './resources/index.ts'
import { productId } from './resources/product.ts'

export interface PathParameter {
  readonly name: string
  readonly type: Type<string>
  readonly kind: Kind | 'product' | 'action'
}

/** One method on one path. Routes, OpenAPI, SDK and the property tests are all generated from this list. */
export interface Endpoint {
  /** `member.list`, `member_pin.reveal`: also the name of its handler. */
  readonly id: string
  readonly verb: Verb | 'action' | 'command' | 'query' | 'bulk'
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly resource: Resource
  readonly params: readonly PathParameter[]
  readonly query: { readonly [name: string]: QueryParameter }
  readonly body: 'create' | 'edit' | Parts | undefined
  readonly answer: 'page' | 'object' | 'revealed' | PageOf | Type<unknown>
  readonly scope: Scope
  /** The scope that is enough with `dry_run=true`. */
  readonly dry_run_scope?: Scope | undefined
  /** The most bytes of its body, where the usual limit is too small. */
  readonly largest_body?: number | undefined
  readonly bulk?: InBulk | undefined
  readonly about: string
}

const methods = { list: 'GET', get: 'GET', create: 'POST', edit: 'PATCH', delete: 'DELETE' } as const

const cascade = {
  cascade: { type: flag, about: 'If true, also deletes everything inside it, in one transaction.' },
  dry_run: { type: flag, about: 'If true, changes nothing and returns what would be deleted.' },
}

const restoring = {
  cascade: {
    type: flag,
    about:
      'If true, and the edit restores it, also restores what was deleted together with it, in one transaction.',
  },
}

function endpointsOf(resource: Resource): Endpoint[] {
  const verbs = resource.verbs.map(verb => verbEndpoint(resource, verb))
  const actions = Object.entries(resource.actions ?? {}).map(([name, action]) =>
    actionEndpoint(resource, name, action),
  )
  return [...verbs, ...actions]
}

function verbEndpoint(resource: Resource, verb: Verb): Endpoint {
  const onOne = verb !== 'list' && verb !== 'create'
  return {
    id: `${resource.kind}.${verb}`,
    verb,
    method: methods[verb],
    ...place(resource, onOne),
    resource,
    query: resource.children ? queryOf(verb) : {},
    body: verb === 'create' || verb === 'edit' ? verb : undefined,
    answer: verb === 'list' ? 'page' : verb === 'create' && resource.reveals ? 'revealed' : 'object',
    scope: onOne && verb !== 'get' ? 'write' : verb === 'create' ? 'write' : 'read',
    about: describe(resource, verb),
  }
}

/** Of what contains other objects. */
function queryOf(verb: Verb): Endpoint['query'] {
  return verb === 'delete' ? cascade : verb === 'edit' ? restoring : {}
}

function actionEndpoint(resource: Resource, name: string, action: Action): Endpoint {
  const { path, params } = place(resource, action.on !== 'collection')
  return {
    id: `${resource.kind}.${name}`,
    verb: action.does ?? 'action',
    method: action.method,
    path: path + action.path,
    resource,
    params: [
      ...params,
      ...Object.entries(action.params ?? {}).map(([name, type]) => ({ name, type, kind: 'action' as const })),
    ],
    query: action.query ?? {},
    body: action.method === 'POST' ? (action.body ?? {}) : undefined,
    answer: action.answer,
    scope: action.scope,
    dry_run_scope: action.dry_run_scope,
    largest_body: action.largest_body,
    bulk: bulkOf(action),
    about: action.about,
  }
}

function bulkOf({ does, answer, bulk }: Action): InBulk | undefined {
  return does === 'command' || answer === 'revealed' ? 'never' : bulk
}

function place(resource: Resource, onOne: boolean): { path: string; params: PathParameter[] } {
  const parent = resource.parent ? [idParameter(resource.parent)] : []
  const own = onOne && !resource.singleton ? [idParameter(resource.kind as Kind)] : []
  const base = resource.parent ? `${resourceOf(resource.parent).path}/{${resource.parent}_id}` : ''
  return {
    path: base + resource.path + own.map(({ name }) => `/{${name}}`).join(''),
    params: [...parent, ...own],
  }
}

function idParameter(kind: Kind | 'product'): PathParameter {
  return { name: `${kind}_id`, kind, type: kind === 'product' ? productId : reference(kind) }
}

function describe(resource: Resource, verb: Verb): string {
  const singular = spell(resource.kind)
  const one = resource.singleton ? `the ${singular}` : withArticle(singular)
  const sentences = {
    list: `Lists ${spell(resource.plural)}, newest first.`,
    get: resource.singleton ? `Returns ${one}.` : `Returns ${one}, including a deleted one.`,
    create: `Creates ${one}.`,
    edit: `Updates ${one}. Fields left out stay unchanged.`,
    delete: `Deletes ${one}. Deleting it again changes nothing.`,
  }
  return sentences[verb]
}

const grant: Endpoint = {
  id: 'grant.create',
  verb: 'action',
  method: 'POST',
  path: '/grants',
  resource: resources.member,
  params: [],
  query: {},
  body: grantParts,
  answer: 'object',
  scope: 'write',
  about:
    'Creates a member with groups and credentials in one atomic call. With an `external_id` the call is declarative: repeating it sets the groups and credentials to exactly what it lists and returns the existing secrets.',
}

const exported: Endpoint = {
  id: 'export.create',
  verb: 'action',
  method: 'POST',
  path: '/exports',
  resource: resources.job,
  params: [],
  query: {},
  body: exportParts,
  answer: 'object',
  scope: 'write',
  about:
    'Writes all objects of a list into a file, as they are at one moment, however many. Returns the job; its file is there once it has succeeded.',
}

const accessCheck: Endpoint = {
  id: 'access_check.create',
  verb: 'query',
  method: 'POST',
  path: '/access_checks',
  resource: resources.gadget,
  params: [],
  query: {},
  body: accessCheckParts,
  answer: accessCheckAnswer,
  scope: 'read',
  about:
    'Checks whether an action would be allowed, and if not, why. This is a dry run: it records no event.',
}

const bulk: Endpoint = {
  id: 'bulk.create',
  verb: 'bulk',
  method: 'POST',
  path: '/bulk',
  resource: resources.organization,
  params: [],
  query: {},
  body: bulkParts,
  answer: bulkAnswer,
  scope: 'read',
  bulk: 'never',
  about:
    'Runs up to 100 operations in order, each as if it were sent as a request. Each succeeds or fails on its own, unless `atomic` is true. Commands to hardware, reveals and streams cannot be operations.',
}

const bulkEdit: Endpoint = {
  id: 'bulk.edit',
  verb: 'action',
  method: 'POST',
  path: '/bulk/edit',
  resource: resources.job,
  params: [],
  query: { dry_run: { type: flag, about: 'If true, changes nothing, like `dry_run` in the body.' } },
  body: bulkEditParts,
  answer: 'object',
  scope: 'write',
  dry_run_scope: 'read',
  bulk: 'never',
  about:
    'Changes many objects alike, as a job, which it returns. Try it with `dry_run` first: the number that it counts is the `expected_count` of the real one. It can be undone for 7 days.',
}

export const endpoints: readonly Endpoint[] = [
  ...Object.values<Resource>(resources).flatMap(endpointsOf),
  grant,
  exported,
  accessCheck,
  bulk,
  bulkEdit,
]

/** Returns the id prefix of a kind; undefined for products and actions. */
export function prefixOf(kind: PathParameter['kind']): string | undefined {
  return kind === 'product' || kind === 'action' ? undefined : prefixes[kind]
}

/**
 * Returns the resource in the response, which expands apply to; undefined for a response of its own shape.
 */
export function answeredResource({ answer, resource }: Endpoint): Resource | undefined {
  if (typeof answer === 'string') return resource
  return 'page_of' in answer ? resourceOf(answer.page_of) : undefined
}
