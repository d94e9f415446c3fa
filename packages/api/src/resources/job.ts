import { type ErrorType, errorTypes } from '../errors.ts'
import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, choice, flag, integer, reference, text, timestamp } from '../kit/scalars.ts'
import { refuse, type Type } from '../kit/type.ts'
import { userId } from './user.ts'

export const jobTypes = [
  'import',
  'export',
  'bulk',
  'erasure',
  'member_data',
  'booking_sync',
  'calendar_refresh',
] as const
export type JobTypeName = (typeof jobTypes)[number]

export const jobStates = [
  'queued',
  'running',
  'awaiting',
  'succeeded',
  'partly_succeeded',
  'failed',
  'canceled',
] as const
export type JobState = (typeof jobStates)[number]

/** The most notices that a job keeps. */
export const mostNotices = 100

const count = integer(0, 2_147_483_647)

const progressParts = {
  total: nullable(count, 'How many there are to do. Null until they are counted.'),
  done: required(count, 'How many are done: the sum of the others.'),
  succeeded: required(count, 'How many were done, or needed no change.'),
  skipped: required(count, 'How many were left out.'),
  failed: required(count, 'How many were refused.'),
}
export type JobProgress = Shape<typeof progressParts>
export const noProgress: JobProgress = { total: null, done: 0, succeeded: 0, skipped: 0, failed: 0 }

const summaryParts = {
  created: required(count, 'Objects that were created.'),
  updated: required(count, 'Objects that were changed.'),
  unchanged: required(count, 'Objects that needed no change.'),
  deleted: required(count, 'Objects that were deleted.'),
  restored: required(count, 'Objects that were restored.'),
  credentials_created: required(count, 'Credentials that were created.'),
}
export type JobSummary = Shape<typeof summaryParts>
export const emptySummary: JobSummary = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  restored: 0,
  credentials_created: 0,
}

const fileParts = {
  name: required(text(64), 'Its name, for `GET /jobs/{job_id}/files/{name}`.'),
  media_type: required(text(64), 'What it is.'),
  bytes: required(integer(0, Number.MAX_SAFE_INTEGER), 'Its size.'),
  is_secret: required(flag, 'True if it holds secrets: only whoever made the job can fetch it, once.'),
  fetched_at: nullable(timestamp, 'Of a file with secrets: when it was first fetched.'),
  expires_at: required(timestamp, 'When it is removed.'),
}
export type JobFile = Shape<typeof fileParts>

const errorParts = {
  type: required(choice(...(Object.keys(errorTypes) as ErrorType[])), 'The type, as of any error.'),
  message: required(text(2000), 'What happened, in words.'),
  args: required<Record<string, string>>(
    {
      schema: { type: 'object', additionalProperties: { type: 'string' } },
      column: 'jsonb',
      parse: value => value as Record<string, string>,
    },
    'What the message is about.',
  ),
}
export type JobError = Shape<typeof errorParts>

const makerParts = {
  user_id: nullable(userId, 'The user, if one made it in the console.'),
  oauth_application_id: nullable(reference('oauth_application'), 'The application, if one made it.'),
}
export type JobMaker = Shape<typeof makerParts>

/** What a type of job stores for itself. Never in a body or a response. */
const kept: Type<Record<string, unknown>> = {
  schema: {},
  column: 'jsonb',
  parse: (_value, path) => refuse(path, 'left out', '…'),
}

export const job = resource({
  kind: 'job',
  plural: 'jobs',
  path: '/jobs',
  about:
    'Work on many objects, from its beginning to its end. It goes on by itself, also when the service restarts. An application sees the jobs that it made, users see all of their organization. Kept for 30 days.',
  verbs: ['list', 'get', 'edit'],
  private_to_application: true,
  expands: {
    created_by_user: one('user', 'created_by.user_id'),
    created_by_oauth_application: one('oauth_application', 'created_by.oauth_application_id'),
    parent_job: one('job', 'parent_job_id'),
    undo_of_job: one('job', 'undo_of_job_id'),
  },
  filters: {
    'created_by.user_id': {
      type: userId,
      about: 'Jobs that this user made.',
      operator: 'equal',
      path: 'created_by.user_id',
    },
    'created_by.oauth_application_id': {
      type: reference('oauth_application'),
      about: 'Jobs that this application made.',
      operator: 'equal',
      path: 'created_by.oauth_application_id',
    },
  },
  actions: {
    start: {
      method: 'POST',
      path: '/start',
      about:
        'Does what a dry run has shown, as a job of its own, which it returns. Refused with 412 if what the dry run has shown is no longer what would happen.',
      scope: 'write',
      body: { force: optional(flag, 'True: start even so.') },
      answer: 'object',
    },
    undo: {
      method: 'POST',
      path: '/undo',
      about:
        'Sets back what it did, as a job of its own, which it returns. What was changed since is left as it is.',
      scope: 'write',
      dry_run_scope: 'read',
      query: { dry_run: { type: flag, about: 'If true, changes nothing and waits for its start.' } },
      body: {},
      answer: 'object',
    },
    cancel: {
      method: 'POST',
      path: '/cancel',
      about: 'Stops it. What is done stays. Canceling twice changes nothing; what has ended stays as it is.',
      scope: 'write',
      body: {},
      answer: 'object',
    },
  },
  fields: {
    ...identity('job'),
    type: field(choice(...jobTypes), { about: 'What it does.', example: 'import' }),
    state: field(choice(...jobStates), {
      about:
        '`queued` until it is its turn, then `running`. It ends as `succeeded`, `partly_succeeded` (some were refused), `failed` (see `error`; nothing more will happen) or `canceled`. A dry run that is done is `awaiting` its start.',
      example: 'running',
      initial: 'queued',
    }),
    progress: field(shape(progressParts), {
      personal: null,
      about: 'How far it is.',
      example: { total: 10_000, done: 4200, succeeded: 4163, skipped: 0, failed: 37 },
      initial: noProgress,
    }),
    summary: field(shape(summaryParts), {
      personal: null,
      about: 'What became of the objects. For a dry run, what would.',
      example: { ...emptySummary, created: 4100, updated: 63 },
      initial: emptySummary,
    }),
    is_dry_run: field(flag, {
      about: 'True if it changes nothing, and only shows what would happen.',
      initial: false,
      filter: 'equal',
    }),
    parent_job_id: field(reference('job'), {
      about: 'The dry run that it was started from.',
      nullable: true,
    }),
    undo_of_job_id: field(reference('job'), { about: 'The job that it sets back.', nullable: true }),
    can_start_until: field(timestamp, {
      about: 'Of a dry run that awaits its start: how long it waits. Then it is canceled.',
      nullable: true,
    }),
    can_undo_until: field(timestamp, {
      about: 'Until when it can be undone. Null if it cannot.',
      nullable: true,
    }),
    created_by: field(shape(makerParts), {
      personal: null,
      about: 'Who made it. Its changes are theirs, and end with their rights.',
      example: { user_id: 'usr_06gxjs3e7dds3ssctgw6', oauth_application_id: null },
      initial: { user_id: null, oauth_application_id: null },
    }),
    started_at: field(timestamp, { about: 'When it began to run.', nullable: true, filter: 'compare' }),
    ended_at: field(timestamp, { about: 'When it ended.', nullable: true, filter: 'compare' }),
    estimated_end_at: field(timestamp, {
      about: 'When it will probably end. Null unless it runs and knows how much there is to do.',
      nullable: true,
    }),
    error: field(shape(errorParts), {
      personal: 'technical',
      about: 'Why it failed as a whole, in the form of an error of the API.',
      nullable: true,
      example: null,
    }),
    notices: field(list(text(500), { max: mostNotices }), {
      personal: 'free',
      about: 'What to know about it that is no error.',
      example: [],
      initial: [],
    }),
    files: field(list(shape(fileParts), { max: 10 }), {
      personal: null,
      about: 'What it has written. There once it has ended.',
      example: [
        {
          name: 'errors.csv',
          media_type: 'text/csv',
          bytes: 2048,
          is_secret: false,
          fetched_at: null,
          expires_at: '2026-11-21T09:30:00.123456Z',
        },
      ],
      initial: [],
    }),
    settings: field(kept, { personal: 'free', about: 'What it was asked to do.', hidden: true, initial: {} }),
    cursor: field(kept, {
      personal: 'technical',
      about: 'How far it is, for whoever goes on with it.',
      hidden: true,
      nullable: true,
    }),
    maker: field(kept, {
      personal: 'technical',
      about: 'The subject of its events, and the token that it was made with.',
      hidden: true,
      initial: {},
    }),
    key_ciphertext: field(bytes, {
      about: 'The key of its rows, input and files. Null once these are removed.',
      hidden: true,
      nullable: true,
    }),
    input_job_id: field(reference('job'), {
      about: 'The job whose input it reads: its own, or that of its dry run.',
      hidden: true,
      nullable: true,
    }),
    is_canceling: field(flag, { about: 'True once it is to stop.', hidden: true, initial: false }),
    failure_count: field(count, {
      about: 'How often a batch has failed in a row.',
      hidden: true,
      initial: 0,
    }),
    owner: field(text(64), {
      personal: null,
      about: 'The process that leads it.',
      hidden: true,
      nullable: true,
    }),
    owned_until: field(timestamp, { about: 'Until when, unless renewed.', hidden: true, nullable: true }),
    is_deleted: field(flag, { about: 'Always false: it is history.', initial: false }),
    created_at: lifecycle().created_at,
    metadata: metadataField(),
  },
})
