import type { Pool } from '@gatehouse/server'

/** Holds a member, so that every request that touches it waits until it is released. */
export async function holdMember(db: Pool, id: string): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = db.transaction(async inner => {
    await inner.query('SELECT 1 FROM members WHERE id = $1 FOR UPDATE', [id])
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, ended])
  return {
    release() {
      released.resolve()
      return ended
    },
  }
}
