import { type Kind, parseListQuery, placeResources, type Reference, resources } from '@gatehouse-access/api'
import { policyKinds } from '@gatehouse-access/core'
import { type Context, cleanUp, type Database, rotateSecrets, systemClock } from '@gatehouse-access/server'
import {
  declaredQuotas,
  defaultQuotas,
  isQuotaName,
  type QuotaName,
} from '../../../packages/server/src/config/quotas.ts'
import { asQuery } from '../../../packages/server/src/database/postgres/query.ts'
import { changedMembers, noneChanged } from '../../../packages/server/src/devices/policy/changes.ts'
import { readMembersWithin } from '../../../packages/server/src/devices/policy/members.ts'
import { loadPlaces, rereadPlaces } from '../../../packages/server/src/devices/policy/places.ts'
import { countRows, selectLiving, selectNamed } from '../../../packages/server/src/policy/rows.ts'
import { allSources } from '../../../packages/server/src/policy/sources.ts'
import { ledgerKinds } from '../../../packages/server/src/recovery/kinds.ts'
import { liftSuspensions } from '../../../packages/server/src/recovery/settle.ts'
import { readLiving, suspend } from '../../../packages/server/src/recovery/suspend.ts'
import { findForeignSecret } from '../../../packages/server/src/services/keys/key-rotation.ts'
import { findLivingChildren } from '../../../packages/server/src/services/objects/children.ts'
import type { Work } from '../../../packages/server/src/services/objects/context.ts'
import { findDeletedWith } from '../../../packages/server/src/services/objects/restore-tree.ts'
import { tagBehaviour } from '../../../packages/server/src/services/objects/tags.ts'
import { findUnused } from '../../../packages/server/src/services/reports/unused.ts'
import { serviceCaller } from '../../../packages/server/src/store/caller.ts'
import { Quotas } from '../../../packages/server/src/store/counts/quotas.ts'
import { countEvents } from '../../../packages/server/src/store/events/count-events.ts'
import { findNamed } from '../../../packages/server/src/store/events/find-named.ts'
import { findEnd } from '../../../packages/server/src/store/events/sought-events.ts'
import { findLiving, findObject } from '../../../packages/server/src/store/find.ts'
import { countObjects, listObjects } from '../../../packages/server/src/store/list.ts'
import { checkReferences } from '../../../packages/server/src/store/references.ts'
import { type Marks, storeReports, type UsedTable } from '../../../packages/server/src/store/reports.ts'
import {
  deleteObjects,
  insertObject,
  logUse,
  updateObject,
} from '../../../packages/server/src/store/write.ts'
import { insertRows } from '../../../packages/server/src/test-data/insert-rows.ts'
import { tables } from '../../../packages/server/src/test-data/tables.ts'
import { openVault } from '../../../packages/server/src/vault/vault.ts'
import { neverId } from '../one-of-each.ts'
import {
  alive,
  boundReach,
  changed,
  expansions,
  type Hearing,
  newRow,
  ofEach,
  reach,
  stored,
  withHidden,
} from './of-resources.ts'

const now = systemClock.now()

function workOn(db: Database): Work {
  return { db, caller: serviceCaller('any'), now, context: {} as Context }
}

/** With a negative quota, the count runs immediately. */
async function exhaust(db: Database, name: QuotaName): Promise<void> {
  const holder = declaredQuotas[name].statement.includes('$2') ? ['any', 'any'] : ['any']
  await new Quotas({ ...defaultQuotas, [name]: -1 }, systemClock).take(db, name, holder)
}

async function reread(db: Database): Promise<void> {
  const places = await loadPlaces({ ...db, query: asQuery(async () => []) }, 'any')
  await rereadPlaces(
    db,
    'any',
    places,
    [...placeResources.keys()].map(type => ({ type, id: 'any' })),
  )
}

function findHolders(db: Database): Promise<string[]> {
  return changedMembers(db, 'any', { ...noneChanged(), companions: new Map([['card', new Set(['any'])]]) })
}

function reported(table: UsedTable): Marks {
  return { used: [{ table, id: 'any', at: now }], states: [] }
}

/** Events of members of a group and at doors with a tag, many of them and few. */
const sought = ['member_group', 'tag'].flatMap(kind => {
  const query = parseListQuery(resources.event, { [`${kind}_id`]: neverId(kind as Kind), verb: 'edit' })
  const conditions = query.conditions.map(one => (one.filter.through ? { ...one, found: ['any'] } : one))
  return [query, { ...query, conditions }]
})

/** Every kind that has such a statement. */
function lifted(only: RegExp): Hearing[] {
  const kinds = ledgerKinds.map(({ kind }) => ({ organization_id: 'any', kind, id: 'any' }))
  return [{ run: db => liftSuspensions(db, systemClock, kinds), only }]
}

function referring(of: typeof reach): Hearing[] {
  return alive.map(({ kind }) => ({
    run: db => checkReferences(db, of, [{ field: 'any', kind, id: 'any' } as Reference]),
  }))
}

/** How to record statements that are assembled at run time, by name. */
export const heard: { readonly [name: string]: readonly Hearing[] } = {
  'store/find.ts findObject': [
    ...[reach, boundReach].flatMap(reach =>
      ofEach(stored, (db, resource) => findObject(db, resource, reach, 'evt_00000000000000000000')),
    ),
    ...withHidden(stored, (db, resource, hidden) =>
      findObject(db, resource, reach, 'evt_00000000000000000000', { lock: true, hidden }),
    ),
  ],
  'store/find.ts findLiving': withHidden(alive, (db, resource, hidden) =>
    findLiving(db, resource, reach, hidden),
  ),
  'store/events/count-events.ts countEvents': [reach, boundReach].flatMap(reach =>
    [parseListQuery(resources.event, { verb: 'edit' }), ...sought].map(query => ({
      run: db => countEvents(db, reach, query, 5),
    })),
  ),
  'store/events/find-named.ts findNamed': [reach, boundReach].flatMap(reach =>
    sought.map(query => ({ run: db => findNamed(db, reach, query, 0) })),
  ),
  'store/events/sought-events.ts findEnd': [reach, boundReach].flatMap(reach =>
    sought.map(query => ({ run: db => findEnd(db, reach, query, '', undefined), only: /OFFSET \d/ })),
  ),
  'store/list.ts listObjects': [reach, boundReach].flatMap(reach =>
    ofEach(
      stored.filter(({ verbs }) => verbs.includes('list')),
      (db, resource) => listObjects(db, resource, reach, parseListQuery(resource, { limit: '20' })),
    ),
  ),
  'store/expand.ts load': expansions(),
  'store/list.ts countObjects': [
    {
      run: db => countObjects(db, resources.member, reach, parseListQuery(resources.member, { q: 'any' }), 5),
    },
  ],
  'store/write.ts insertObject': ofEach(changed, (db, resource) =>
    insertObject(workOn(db), resource, newRow(resource)),
  ),
  'store/write.ts updateObject': ofEach(changed, (db, resource) =>
    updateObject(workOn(db), resource, newRow(resource), { is_deleted: true }),
  ),
  'store/write.ts deleteObjects': ofEach(changed, (db, resource) =>
    deleteObjects(workOn(db), resource, 'id', ['any']),
  ),
  'services/reports/unused.ts findUnused': [
    { run: db => findUnused(db, { organization_id: 'any', since: now }) },
  ],
  'store/write.ts logUse': [
    {
      run: db => {
        const ids = Object.fromEntries(
          ['email', 'magic_link', 'pin', 'card', 'token'].map(name => [`member_${name}_id`, 'any']),
        )
        return logUse(workOn(db), ids, { type: 'gadget', gadget_id: 'any' })
      },
    },
  ],
  'store/references.ts findIn': referring(reach),
  'store/references.ts findWithin': referring(boundReach),
  'store/counts/quotas.ts #ask': Object.keys(defaultQuotas)
    .filter(isQuotaName)
    .filter(name => name !== 'stream')
    .map(name => ({ run: db => exhaust(db, name) })),
  'services/objects/children.ts findLivingChildren': alive
    .filter(({ children }) => children)
    .map(resource => ({ run: db => findLivingChildren(workOn(db), resource, { id: 'any' }) })),
  'services/objects/restore-tree.ts findDeletedWith': alive.flatMap(resource =>
    (resource.children ?? []).map(kind => ({
      run: db => findDeletedWith(workOn(db), resource, 'any', kind),
    })),
  ),
  'services/objects/tags.ts takeFrom': [
    {
      run: async db => tagBehaviour.beforeDelete?.(workOn(db), { id: 'any' } as never),
      only: /array_remove/,
    },
  ],
  'services/objects/tags.ts giveBack': [
    {
      run: async db => tagBehaviour.beforeRestore?.(workOn(db), { id: 'any' } as never, {}),
      only: /array_append/,
    },
  ],
  'services/keys/key-rotation.ts readBatches': [
    { run: db => rotateSecrets(db, [Buffer.alloc(32)], () => {}) },
  ],
  'services/keys/key-rotation.ts countSecrets': [
    { run: db => rotateSecrets(db, [Buffer.alloc(32)], () => {}), only: /AS total$/ },
  ],
  'services/keys/key-rotation.ts findForeignSecret': [
    { run: db => findForeignSecret(db, [Buffer.alloc(32)]) },
  ],
  'jobs/clean-up.ts removeBefore': [{ run: db => cleanUp({ db, clock: systemClock } as Context) }],
  'store/reports.ts markUsed': (['gadgets', 'member_pins', 'member_cards'] as const).map(table => ({
    run: db => storeReports(workOn(db), [], reported(table)),
  })),
  'policy/rows.ts countRows': [{ run: db => countRows(db, 'any', policyKinds) }],
  'policy/rows.ts selectLiving': allSources.map(source => ({
    run: db => selectLiving(db, 'any', source).next(),
  })),
  'policy/rows.ts selectNamed': allSources.map(source => ({
    run: db => selectNamed(db, 'any', source, 'id', ['any']).next(),
  })),
  'devices/policy/places.ts loadAll': [{ run: db => loadPlaces(db, 'any') }],
  'devices/policy/places.ts rereadPlaces': [{ run: reread }],
  'devices/policy/members.ts readMembersWithin': [
    { run: db => readMembersWithin(db, openVault([Buffer.alloc(32)]), 'any', ['any']) },
  ],
  'devices/policy/changes.ts changedMembers': [{ run: findHolders }],
  'recovery/suspend.ts readLiving': ledgerKinds.map(kind => ({ run: db => readLiving(db, kind).next() })),
  'recovery/suspend.ts suspend': ledgerKinds.map(kind => ({
    run: db => suspend(db, kind, [{ organization_id: 'any', id: 'any', how: 'deleted', revoked_at: now }]),
    only: /^WITH/,
  })),
  'recovery/settle.ts setFlag': lifted(/^UPDATE \w+ t SET is_deleted/),
  'recovery/settle.ts readRows': lifted(/^SELECT \*/),
  'recovery/settle.ts putBack': lifted(/^INSERT/),
  'test-data/insert-rows.ts insertRows': Object.entries(tables).map(([table, columns]) => ({
    run: db => insertRows(db, table, columns, []),
  })),
}
