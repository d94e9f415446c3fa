import type { World } from '@gatehouse-access/testkit'
import { found, register, signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { neverId } from '../properties/one-of-each.ts'
import { type Settled, settleTwo } from '../properties/two-organizations.ts'

/** Everything that identifies one side: ids by their kind, and an email address. */
export type Names = Readonly<Record<string, string>>

/** Two unrelated organizations. Ours sends the requests; nothing of theirs may leak. */
export interface Neighbours {
  readonly ours: Settled & { readonly names: Names; readonly visitor: Visitor }
  readonly theirs: Settled & { readonly names: Names }
  /**
   * Returns names of the same form that no object has. They are new on each call, because a request may have
   * stored the previous ones.
   */
  never(): Names
}

export async function settleNeighbours(w: World): Promise<Neighbours> {
  const { ours, theirs } = await settleTwo(w)
  const asking = await settleUser(w, 'ours@example.com')
  const other = await settleUser(w, 'theirs@example.com')
  // Products and actions are names that all organizations share.
  const { product_id: _product, action_id: _action, ...own } = namesOf(theirs)
  // Some names stand for objects that neither organization has.
  const shared = new Set(Object.values(namesOf(ours)))
  const differing = Object.entries(own).filter(([, id]) => !shared.has(id))
  const names: Names = { ...Object.fromEntries(differing), ...other.names }
  return {
    ours: { ...ours, names: { ...namesOf(ours), ...asking.names }, visitor: asking.visitor },
    theirs: { ...theirs, names },
    never: () =>
      Object.fromEntries(Object.entries(names).map(([name, value]) => [name, neverLike(name, value)])),
  }
}

function namesOf({ ids }: Settled): Names {
  const plain = Object.entries(ids).filter(([, id]) => typeof id === 'string')
  return Object.fromEntries(plain.map(([kind, id]) => [`${kind}_id`, String(id)]))
}

/**
 * Creates a developer with an organization and an application, which is installed there and has a webhook.
 */
async function settleUser(w: World, email: string): Promise<{ names: Names; visitor: Visitor }> {
  const visitor = await signUp(w, email)
  const organization_id = await found(visitor, `Organization of ${email}`)
  const { client_id } = await register(visitor)
  await visitor.account('POST', `/account/organizations/${organization_id}/invitations`, {
    email: `guest-of-${email}`,
    role: 'viewer',
  })
  const { body } = await visitor.account<{ user: { id: string } }>('GET', '/account/session')
  return { visitor, names: { organization_id, application_id: client_id, user_id: body.user.id, email } }
}

let count = 0

/**
 * Keeps the prefix of the real id, because some names describe a role, such as the group that another one
 * inherits from.
 */
function neverLike(name: string, value: string): string {
  if (name === 'email') return `never${count++}@example.com`
  return value.slice(0, value.lastIndexOf('_') + 1) + neverId('member', count++).slice('mem_'.length)
}
