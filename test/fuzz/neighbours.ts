import type { World } from '@gatehouse/testkit'
import { found, register, signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { neverId } from '../properties/one-of-each.ts'
import { type Settled, settleTwo } from '../properties/two-organizations.ts'

/** Everything that one side can be named by: ids by what they are ids of, and an address. */
export type Names = Readonly<Record<string, string>>

/** Two organizations that know nothing of each other: ours asks, theirs must not show. */
export interface Neighbours {
  readonly ours: Settled & { readonly names: Names; readonly visitor: Visitor }
  readonly theirs: Settled & { readonly names: Names }
  /** What nobody has, in the shape of what theirs has; other names each time, since what is asked may have stored the last. */
  never(): Names
}

export async function settleNeighbours(w: World): Promise<Neighbours> {
  const { ours, theirs } = await settleTwo(w)
  const asking = await settleUser(w, 'ours@example.com')
  const other = await settleUser(w, 'theirs@example.com')
  // Products and actions are words that everybody shares.
  const { product_id: _product, action_id: _action, ...own } = namesOf(theirs)
  // Some stand for what neither has.
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

/** A developer with an organization and an application of its own, which is installed there and has a webhook. */
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

/** With the prefix of the real one: some are named after their part in it, such as the group that another inherits from. */
function neverLike(name: string, value: string): string {
  if (name === 'email') return `never${count++}@example.com`
  return value.slice(0, value.lastIndexOf('_') + 1) + neverId('member', count++).slice('mem_'.length)
}
