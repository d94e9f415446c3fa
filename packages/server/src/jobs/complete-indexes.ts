import { connectionFor } from '../database/embedded/connection-for.ts'
import { indexAll, lacksIndexes } from '../database/event-indexes.ts'
import { openServers } from '../database/open-servers.ts'
import { Session } from '../database/session.ts'
import type { Context } from '../services/objects/context.ts'

/** Builds what new indexes of the event log still lack, see `database/event-indexes.ts`. */
export async function completeIndexes({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> {
  if (!(await lacksIndexes(db))) return
  using servers = openServers(connectionFor(config))
  // A session of its own: an index may take longer than a statement of a request, and the lock lasts over all of them.
  using session = await Session.over(servers)
  await indexAll(session)
}
