import { integer, text } from '../kit/scalars.ts'

/** The versions of one object. */
export const history = {
  method: 'GET',
  does: 'query',
  path: '/history',
  about:
    'Lists the versions of the object, newest first: the events that created, changed, deleted and restored it, with what changed in `object.changes`. Edits from before events told changes have none.',
  scope: 'read',
  query: {
    limit: { type: integer(1, 100), about: 'Entries per page. Defaults to 20.' },
    cursor: { type: text(2000), about: '`cursor_next` of the previous page.' },
  },
  answer: { page_of: 'event' },
} as const
