import { parseExpand, parseListQuery, resourceOf, resources } from '../../packages/api/src/index.ts'
import type { Database } from '../../packages/server/src/database/db.ts'
import { systemClock } from '../../packages/server/src/flow/clock.ts'
import { newValues } from '../../packages/server/src/services/objects/new-object.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { expandObjects } from '../../packages/server/src/store/expand.ts'
import { findObject } from '../../packages/server/src/store/find.ts'
import { listObjects } from '../../packages/server/src/store/list.ts'
import { insertObject } from '../../packages/server/src/store/write.ts'

const { member } = resources
const reach = { organization_id: 'any' }
const expands = ['emails', 'group_associations.member_group']

/** Records the exact statements of the service, so that the bare routes send the same. */
export async function recordStatements() {
  const context = { doors: { tell: () => undefined } } as never
  const write = { caller: serviceCaller('any'), now: systemClock.now(), context }
  const [find] = await record(db => findObject(db, member, reach, 'any'))
  const [page20] = await record(db => listObjects(db, member, reach, parseListQuery(member, { limit: '20' })))
  const [page100] = await record(db =>
    listObjects(db, member, reach, parseListQuery(member, { limit: '100' })),
  )
  const [insert] = await record(db =>
    insertObject({ ...write, db }, resourceOf('member'), newValues({ ...write, db }, member, {})),
  )
  const [emails, associations, groups] = await record(db =>
    expandObjects({ ...write, db }, member, reach, [{ id: 'any' }], parseExpand(member, expands)),
  )
  return { find, page20, page100, insert, emails, associations, groups } as Record<Name, string>
}

type Name = 'find' | 'page20' | 'page100' | 'insert' | 'emails' | 'associations' | 'groups'

async function record(run: (db: Database) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const db: Database = {
    query: async text => {
      texts.push(text)
      return [{ id: 'any', member_id: 'any', member_group_id: 'any', permissions: [] }] as never[]
    },
    transaction: work => work(db),
    afterCommit: () => {},
  }
  await run(db)
  return texts
}
