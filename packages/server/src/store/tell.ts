import type { Resource } from '@gatehouse-access/api'
import type { Database, Row } from '../database/db.ts'
import { tellZones, type ZoneTelling } from '../zones/tell-zones.ts'

/** What answers tell beyond what is stored in rows. */
export interface Telling extends ZoneTelling {
  readonly doors: DoorTelling
}

export interface DoorTelling {
  /** Adds to doors and emergencies how they are now. Undefined if there is nothing to add. */
  tell(db: Database, resource: Resource, rows: readonly Row[]): Promise<void> | undefined
}

/** Completes rows for an answer. Synchronous unless there are doors or emergencies among them. */
export function tellRows(
  { db, context }: { readonly db: Database; readonly context: Telling },
  resource: Resource,
  rows: Row[],
): Promise<void> | undefined {
  tellZones(context, resource, rows)
  return context.doors.tell(db, resource, rows)
}
