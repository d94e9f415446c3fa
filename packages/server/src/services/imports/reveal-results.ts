import { type Resources, resources } from '@gatehouse-access/api'
import { logEvents } from '../../store/event-log.ts'
import { draftOf } from '../../store/write.ts'
import { readRows } from '../jobs/job-data.ts'
import type { SealedJob } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import type { MemberUndo } from './members/row-results.ts'
import { dataOf } from './stored-import.ts'

const page = 500

/** Records each PIN and link of the file as revealed, before the file is sent. */
export async function revealResults(work: Work, job: SealedJob): Promise<void> {
  const { caller, context, now } = work
  for (let after = 0; ; ) {
    const rows = await readRows(context.db, dataOf(job), after, page)
    const drafts = rows.flatMap(({ object_id: member_id, detail }) =>
      ((detail as MemberUndo | undefined)?.revealed ?? []).map(({ kind, id }) =>
        draftOf(caller, now, resources[kind] as Resources[typeof kind], 'reveal', { id, member_id }),
      ),
    )
    // Each page commits by itself: a transaction over all of them would hold back the feed.
    await logEvents(context.db, drafts)
    if (rows.length < page) return
    after = rows.at(-1)?.number ?? after
  }
}
