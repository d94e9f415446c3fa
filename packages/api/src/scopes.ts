import { parseExpand } from './derive/expands.ts'
import type { Endpoint } from './endpoints.ts'
import type { ExpandTree } from './kit/expand.ts'
import type { Resource } from './kit/resource.ts'
import type { Kind } from './prefixes.ts'
import { resourceOf } from './resources/index.ts'
import { roleReads } from './site-roles.ts'

export const fullScopes = ['full_read_write', 'full_read_only'] as const
/** Parts of what an administrator can do. A token with several of them can do what each of them allows. */
export const limitedScopes = ['members', 'members:read', 'devices', 'events:read', 'actions'] as const
/** The scopes of access tokens and API keys. */
export const tokenScopes = [...fullScopes, ...limitedScopes] as const

export type LimitedScope = (typeof limitedScopes)[number]
export type TokenScope = (typeof tokenScopes)[number]

/** What each scope means, in a sentence. */
export const scopeWords: Readonly<Record<TokenScope, string>> = {
  full_read_write: 'Read and change everything, as an administrator can.',
  full_read_only: "Read everything, and manage the application's own webhooks.",
  members:
    'Read and change members, their credentials, cards and groups they are in. Not the rules of groups.',
  'members:read': 'Read members, their credentials without secrets, cards and groups.',
  devices: 'Read and change devices, gadgets and triggers. Not open doors.',
  'events:read': "Read events, as lists and streams, and manage the application's own webhooks.",
  actions: 'Read gadgets and sites, and run actions: open doors.',
}

type ScopedKind = Kind | 'product'

interface Realm {
  /** Resources whose endpoints it reaches, all of them or those that read. */
  readonly writes?: readonly ScopedKind[]
  readonly reads?: readonly ScopedKind[]
  /** Single endpoints of other resources. */
  readonly also?: readonly string[]
}

const ofMembers = [
  'member',
  'member_email',
  'member_magic_link',
  'member_pin',
  'member_card',
  'member_token',
  'member_group_association',
  'card',
] as const satisfies Kind[]
const besideMembers = ['member_group', 'tag'] as const satisfies Kind[]
const whoMay = ['access_check.create', 'gadget.access']
/** Who gives cards to members may see those that nobody has. */
const freeCards = ['device.unknown_cards', 'event.unknown_card']

const realms: Readonly<Record<LimitedScope, Realm>> = {
  members: { writes: ofMembers, reads: besideMembers, also: [...whoMay, ...freeCards] },
  'members:read': { reads: [...ofMembers, ...besideMembers], also: whoMay },
  devices: { writes: ['device', 'gadget', 'gadget_trigger'], reads: ['site', 'product', 'tag'] },
  'events:read': { reads: ['event'] },
  actions: { reads: ['gadget', 'site'], also: ['gadget.run_action', 'gadget.execute_as_member'] },
}

/** Endpoints of a resource that need more than the resource's own scope: `also` has to name them. */
const apart: ReadonlySet<string> = new Set([
  'access_check.create',
  'device.unknown_cards',
  'device.uses',
  'event.unknown_card',
  'gadget.access',
  'gadget.execute_as_member',
  'gadget.mode',
  'gadget.run_action',
  'gadget.uses',
  'member.data_export',
  'member.erase',
  'member_group.uses',
  'site.uses',
  'tag.uses',
])
/** For every token: for whom it acts, and several operations at once, each of which needs its own scope. */
const open: ReadonlySet<string> = new Set(['organization.get', 'bulk.create'])

const known = new WeakMap<Endpoint, readonly TokenScope[]>()

/** Returns the scopes of which a token needs one to reach the endpoint. */
export function scopesOf(endpoint: Endpoint): readonly TokenScope[] {
  const found = known.get(endpoint) ?? findScopes(endpoint, endpoint.scope === 'read')
  known.set(endpoint, found)
  return found
}

/** The same, for a request that only asks what would happen. */
export function dryRunScopesOf(endpoint: Endpoint): readonly TokenScope[] {
  return endpoint.dry_run_scope === 'read' ? findScopes(endpoint, true) : scopesOf(endpoint)
}

function findScopes(endpoint: Endpoint, isRead: boolean): TokenScope[] {
  const isOpen = isRead || endpoint.resource.owned_by_application === true
  return [
    ...(isOpen ? (['full_read_only'] as const) : []),
    'full_read_write',
    ...limitedScopes.filter(scope => isWithin(realms[scope], endpoint)),
  ]
}

function isWithin({ also = [], reads = [], writes = [] }: Realm, { id, resource, scope }: Endpoint): boolean {
  if (open.has(id) || also.includes(id)) return true
  if (apart.has(id)) return false
  if (resource.owned_by_application) return reads.includes('event')
  const kind = resource.kind as ScopedKind
  return writes.includes(kind) || (scope === 'read' && reads.includes(kind))
}

/** Whether a caller reads objects of a kind: everywhere if it reads everything, else those of its scopes. */
export function readsKind(scopes: readonly string[], kind: string): boolean {
  if (fullScopes.some(scope => scopes.includes(scope))) return true
  if (kind === 'organization' || roleReads(scopes, kind)) return true
  return limitedScopes.some(scope => {
    const { reads = [], writes = [] } = realms[scope]
    return scopes.includes(scope) && ([...reads, ...writes] as string[]).includes(kind)
  })
}

/** Returns the expands that a token may see. Others are left out of answers, as if there were nothing. */
export function readableExpands(scopes: readonly string[], resource: Resource, tree: ExpandTree): ExpandTree {
  if (fullScopes.some(scope => scopes.includes(scope))) return tree
  const readable = Object.entries(tree).flatMap(([name, inner]) => {
    const kind = resource.expands[name]?.kind
    if (kind === undefined || !readsKind(scopes, kind)) return []
    return [[name, readableExpands(scopes, resourceOf(kind), inner)] as const]
  })
  return Object.fromEntries(readable)
}

/** Whether a token may see all of these expands. */
export function mayExpand(scopes: readonly string[], resource: Resource, names: readonly string[]): boolean {
  return names.every(name => isReadable(scopes, resource, parseExpand(resource, [name])))
}

function isReadable(scopes: readonly string[], resource: Resource, tree: ExpandTree): boolean {
  return Object.entries(tree).every(([name, inner]) => {
    const kind = resource.expands[name]?.kind
    return kind !== undefined && readsKind(scopes, kind) && isReadable(scopes, resourceOf(kind), inner)
  })
}

/** Whether a token with these scopes can change anything or open a door. */
export function changesSomething(scopes: readonly string[]): boolean {
  return ['full_read_write', 'members', 'devices', 'actions'].some(scope => scopes.includes(scope))
}

/** Returns what is left of scopes for somebody who may only read. */
export function readingScopes(scopes: readonly string[]): string[] {
  const narrower: Readonly<Record<string, string | undefined>> = {
    full_read_write: 'full_read_only',
    members: 'members:read',
    devices: undefined,
    actions: undefined,
  }
  const left = scopes.flatMap(scope => (scope in narrower ? (narrower[scope] ?? []) : scope))
  return [...new Set(left)]
}
