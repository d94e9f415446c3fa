import { RequestError, resources } from '@gatehouse-access/api'
import type { Row } from '../../../database/db.ts'
import { logObject } from '../../../store/write.ts'
import { type PersonVoice, personVoiceOf } from '../../../texts/person/language.ts'
import { queueDataLetter } from '../../guests/invitations.ts'
import type { Batch, BatchResult, FilePart, JobRun, JobType, SealedJob } from '../../jobs/job-type.ts'
import { isOfMember } from '../../jobs/rights.ts'
import type { Work } from '../../objects/context.ts'
import { getObject } from '../../objects/objects.ts'
import { beginning, findDoors, type Place, readEventsOf, tellEvent } from './events.ts'
import { gatherMember } from './gather.ts'
import { beginPage, endPage, eventRow } from './page.ts'

export interface MemberDataSettings {
  readonly member_id: string
}

const names = { json: 'member-data.json', page: 'member-data.html' }
/** Events in a batch. They are only read, so it may be more than others change in one. */
const eventsAtOnce = 500

/** Everything about a member in two files, for people and for programs. */
export const memberData: JobType = {
  name: 'member_data',
  begin: async run => ({
    files: [
      { name: names.json, media_type: 'application/json' },
      { name: names.page, media_type: 'text/html; charset=utf-8' },
    ],
    run: batch => runBatch(run, batch),
  }),
  beforeFetch: logFetch,
}

interface Cursor extends Row, Place {
  readonly language: PersonVoice['language']
  readonly count: number
}

async function runBatch({ job }: JobRun, { work, cursor }: Batch): Promise<BatchResult> {
  const { member_id } = job.settings as unknown as MemberDataSettings
  return cursor === null
    ? begin(work, job.created_at, member_id)
    : goOn(work, job, member_id, cursor as Cursor)
}

async function begin({ db, caller }: Work, made_at: string, member_id: string): Promise<BatchResult> {
  const held = await gatherMember(db, caller.organization_id, member_id, made_at)
  const { language, ...rest } = held
  const document = JSON.stringify({ made_at, language, ...rest }, null, 2)
  return {
    cursor: { ...beginning, language, count: 0 },
    is_done: false,
    parts: [
      part(names.json, `${document.slice(0, -2)},\n  "events": [`),
      part(names.page, beginPage(personVoiceOf(language), held, made_at)),
    ],
  }
}

async function goOn(
  work: Work,
  job: SealedJob['job'],
  member_id: string,
  cursor: Cursor,
): Promise<BatchResult> {
  const { db, caller } = work
  const { organization_id } = caller
  const made_at = job.created_at
  const events = await readEventsOf(db, organization_id, member_id, cursor, made_at, eventsAtOnce)
  const doors = await findDoors(db, organization_id, events)
  const voice = personVoiceOf(cursor.language)
  const is_done = events.length < eventsAtOnce
  const told = events.map(
    (event, index) =>
      `${cursor.count + index > 0 ? ',' : ''}\n    ${JSON.stringify(tellEvent(event, member_id, doors))}`,
  )
  const rows = events.map(event => eventRow(voice, event, member_id, doors))
  const last = events.at(-1)
  if (is_done && isOfMember(job)) await queueDataLetter(work, member_id, cursor.language)
  return {
    cursor: {
      ...cursor,
      ...(last && { created_at: last.created_at, id: last.id }),
      count: cursor.count + events.length,
    },
    is_done,
    succeeded: events.length,
    parts: [
      part(names.json, told.join('') + (is_done ? '\n  ]\n}\n' : '')),
      part(names.page, rows.join('') + (is_done ? endPage : '')),
    ],
  }
}

function part(name: string, text: string): FilePart {
  return { name, bytes: Buffer.from(text) }
}

/** Who has seen what is held about a person is part of what is held. */
async function logFetch(work: Work, { job }: SealedJob): Promise<void> {
  const { member_id } = job.settings as unknown as MemberDataSettings
  const { organization_id, scopes } = work.caller
  if (!scopes.includes('full_read_write'))
    throw new RequestError('permission_denied', 'this requires a token with the scope full_read_write', {
      args: { reason: 'scope_too_small', scope: 'full_read_write' },
    })
  const member = await getObject(work, { resource: resources.member, reach: { organization_id } }, member_id)
  await logObject(work, resources.member, 'reveal', member)
}
