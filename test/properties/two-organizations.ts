import type { Tenant, World } from '@gatehouse-access/testkit'
import { type Ask, requester, succeed } from './ask.ts'
import { type Ids, plantOneOfEach } from './one-of-each.ts'

export interface Settled {
  readonly tenant: Tenant
  readonly ask: Ask
  readonly ids: Ids
}

/** Organization A has an object of every kind. Organization B has the same, and requests A's. */
export async function settleTwo(w: World): Promise<{ theirs: Settled; ours: Settled }> {
  const theirs = await settle(w, 'Organization A')
  await plantUnique(w, theirs)
  return { theirs, ours: await settle(w, 'Organization B') }
}

async function settle(w: World, name: string): Promise<Settled> {
  const tenant = await w.tenant(name)
  const ask = requester(w.url, tenant.token)
  return { tenant, ask, ids: await plantOneOfEach(ask, tenant, w) }
}

/** Creates values by which only organization A can be found, and a stock card that it has adopted. */
async function plantUnique(w: World, { ask, ids, tenant }: Settled): Promise<void> {
  const bodies = {
    '/cards': { uid: '04AAAAAA', printed_code: 'ONLY-A', name: 'only-a' },
    '/devices': { name: 'only-a', site_id: ids.site, product_id: 'gateway', hardware_id: 'hw_ONLY-A' },
    '/grants': {
      external_id: 'only-a',
      member: { name: 'only-a', metadata: { only: 'only-a' } },
      member_group_ids: [],
      credentials: { emails: ['only-a@example.com'] },
    },
  }
  for (const [path, body] of Object.entries(bodies)) await succeed(ask, { method: 'POST', path, body })
  await w.server.context.db.query(
    'INSERT INTO card_stock (id, organization_id, created_at) VALUES ($1, $2, $3)',
    [ids.card, tenant.organization_id, w.clock.now()],
  )
}
