import type { EventObject } from '@gatehouse-access/api'
import type { EventDraft } from '../../store/event-log.ts'
import { logHappening, type Write } from '../../store/write.ts'

/** Logs what happens to an application in an organization, by its name of then. */
export async function tellApplication(
  write: Write,
  verb: EventDraft['verb'],
  oauth_application_id: string,
  beside: Pick<EventObject, 'changes' | 'reason'> = {},
): Promise<void> {
  const [row] = await write.db.query<{ name: string }>('SELECT name FROM oauth_applications WHERE id = $1', [
    oauth_application_id,
  ])
  const object = { type: 'oauth_application', oauth_application_id, ...(row && { name: row.name }) } as const
  await logHappening(write, verb, { ...object, ...beside })
}
