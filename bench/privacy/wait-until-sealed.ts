import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../packages/server/src/index.ts'

/** Waits until the audit chain holds all events. */
export async function waitUntilSealed(db: Pool): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ missing: number }>(
      'SELECT ((SELECT count(*) FROM events) - (SELECT count(*) FROM audit_links))::integer AS missing',
    )
    if ((row?.missing ?? 0) <= 0) return
    await sleep(1000)
  }
}
