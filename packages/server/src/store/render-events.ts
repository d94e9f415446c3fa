import { createHash } from 'node:crypto'
import { parseExpand, RequestError, resources } from '@gatehouse/api'
import type { Database, Row } from './db.ts'
import { expandObjects } from './expand.ts'

/** Who events are rendered for: its expands show what its own GET would. */
export interface EventReader {
  readonly organization_id: string
  readonly oauth_application_id?: string | undefined
  readonly expand: readonly string[]
}

/** The same for readers who see an event alike. Expands show what the application may see. */
export function readerName({ oauth_application_id, expand }: EventReader): string {
  if (expand.length === 0) return ''
  return createHash('sha256').update(`${oauth_application_id} ${expand.join()}`).digest('base64url')
}

/** Events as JSON, with the expands of their reader. Expands that would burst an answer are left out. */
export async function renderEvents(
  db: Database,
  reader: EventReader,
  events: readonly Row[],
): Promise<string[]> {
  if (reader.expand.length === 0) return events.map(event => JSON.stringify(event))
  const whole = await tryExpand(db, reader, events)
  if (whole) return whole.map(event => JSON.stringify(event))
  const texts: string[] = []
  for (const event of events) {
    const [expanded] = (await tryExpand(db, reader, [event])) ?? [event]
    texts.push(JSON.stringify(expanded))
  }
  return texts
}

async function tryExpand(
  db: Database,
  reader: EventReader,
  events: readonly Row[],
): Promise<Row[] | undefined> {
  const copies = events.map(event => ({ ...event }))
  try {
    await expandObjects(db, resources.event, reader, copies, parseExpand(resources.event, reader.expand))
    return copies
  } catch (error) {
    if (error instanceof RequestError) return undefined
    throw error
  }
}
