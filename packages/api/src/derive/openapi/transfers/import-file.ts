import type { ErrorType } from '../../../errors.ts'
import { importSettingParts } from '../../../imports/settings.ts'
import { resources } from '../../../resources/index.ts'
import { scopesOf } from '../../../scopes.ts'
import { errorsOf, inCatalogOrder } from '../errors.ts'
import { idempotencyKey, type Parameter, query } from '../parameters.ts'
import { type Contents, successOf } from '../responses.ts'
import { endpointOf, type Transfer } from './transfer.ts'

export function importFile(): Transfer {
  const job = endpointOf('job.get')
  return {
    ...{ id: 'import.create', method: 'POST', path: '/imports', resource: resources.job },
    title: 'Import a file',
    about:
      'Takes a file of at most 100 MiB and 200,000 rows, and returns the job that imports it. What makes the whole file unusable is refused at once. A dry run needs the scope `full_read_only` only.',
    scopes: scopesOf(endpointOf('job.start')),
    parameters: [...importParameters(), idempotencyKey],
    body: importBody,
    answer: { ...successOf(job), description: 'The job that imports the file.' },
    errors: inCatalogOrder(new Set([...errorsOf(job).filter(type => type !== 'not_found'), ...importErrors])),
    guide: 'import',
    in_sdk: 'call',
  }
}

/** In the query, a setting with parts is JSON. */
function importParameters(): Parameter[] {
  return Object.entries(importSettingParts).map(([name, { type, about }]) =>
    query(
      name,
      type.schema.type === 'object' ? { type: 'string', contentMediaType: 'application/json' } : type.schema,
      about,
      undefined,
    ),
  )
}

const importErrors: readonly ErrorType[] = [
  'job_running',
  'idempotency_in_progress',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_conflict',
]

const importBody: Contents = {
  'text/csv': {
    schema: { type: 'string', description: 'A line of column names, and a line for each row.' },
    example:
      'external_id,name,email,from,until\r\nR-1001,Ana Garcia,ana@example.com,2026-12-01T14:00:00Z,2026-12-05T10:00:00Z\r\n',
  },
  'application/x-ndjson': {
    schema: { type: 'string', description: 'A JSON object on each line. Its keys are the columns.' },
  },
  'multipart/form-data': {
    schema: {
      type: 'object',
      description: 'What forms send.',
      properties: {
        settings: {
          type: 'string',
          contentMediaType: 'application/json',
          description: 'The settings of the query, as one JSON object.',
        },
        file: {
          type: 'string',
          contentMediaType: 'text/csv',
          description: 'The file. Its name or its type says what it is: CSV, if neither does.',
        },
      },
      required: ['file'],
    },
  },
}
