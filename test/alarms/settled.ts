import type { World } from '@gatehouse-access/testkit'
import { expect } from 'vitest'

/** Waits until alarms have followed everything that has happened. */
export async function settled({ server }: World): Promise<void> {
  const isDone = async () => {
    const [row] = await server.context.db.query<{ is_done: boolean }>(
      `SELECT position = coalesce((SELECT epoch || '.' || transaction_id || '.' || sequence FROM events
         ORDER BY epoch DESC, transaction_id DESC, sequence DESC LIMIT 1), position) AS is_done
       FROM feed_cursors WHERE consumer = 'alarms'`,
    )
    return row?.is_done
  }
  await expect.poll(isDone).toBe(true)
}
