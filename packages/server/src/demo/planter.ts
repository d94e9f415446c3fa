import { parseCreate, parseEdit, type ResourceKind, resourceOf, resources } from '@gatehouse-access/api'
import type { Database, Row } from '../database/db.ts'
import type { Context } from '../services/objects/context.ts'
import { applyEdit, createFrom, getObject } from '../services/objects/objects.ts'
import type { Caller } from '../store/caller.ts'
import { updateObject } from '../store/write.ts'

export interface Planter {
  /** Creates an object as a request would, with all its checks and events. */
  create(kind: ResourceKind, body: Row, parent?: Row): Promise<string>
  edit(kind: ResourceKind, id: string, body: Row): Promise<void>
  /** Proves the address of a notification target, as the code that is mailed to it would. */
  prove(id: string): Promise<void>
}

export function planter(context: Context, db: Database, caller: Caller): Planter {
  const work = () => ({ context, db, caller, now: context.clock.now() })
  const reach = { organization_id: caller.organization_id }
  return {
    async create(kind, body, parent = {}) {
      const resource = resourceOf(kind)
      const row = await createFrom(work(), resource, { ...parseCreate(resource, body), ...parent })
      return row.id
    },
    async edit(kind, id, body) {
      const resource = resourceOf(kind)
      const before = await getObject(work(), { resource, reach }, id, true)
      await applyEdit(work(), resource, before, parseEdit(resource, body))
    },
    async prove(id) {
      const resource = resources.notification_target
      const before = await getObject(work(), { resource, reach }, id, true)
      await updateObject(work(), resource, before, { is_verified: true })
    },
  }
}
