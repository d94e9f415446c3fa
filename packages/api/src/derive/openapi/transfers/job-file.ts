import { resources } from '../../../resources/index.ts'
import { scopesOf } from '../../../scopes.ts'
import { errorsOf, inCatalogOrder } from '../errors.ts'
import { parametersOf, query } from '../parameters.ts'
import { endpointOf, type Transfer } from './transfer.ts'

export function fetchJobFile(): Transfer {
  const job = endpointOf('job.get')
  const file = { schema: { type: 'string' } }
  return {
    ...{ id: 'job.file', method: 'GET', path: `${job.path}/files/{name}`, resource: resources.job },
    title: 'Fetch a file of a job',
    about:
      'Returns a file that the job has written. A file with secrets is for whoever made the job, once unless `again` is true, and each fetch is recorded as a `reveal` of each secret.',
    scopes: scopesOf(job),
    parameters: [
      ...parametersOf(job).filter(parameter => parameter.in === 'path'),
      {
        ...query('name', { type: 'string' }, 'The name of the file, from `files` of the job.', 'errors.csv'),
        in: 'path',
        required: true,
      },
      query(
        'again',
        { type: 'boolean', default: false },
        'Whether to fetch a file with secrets again.',
        false,
      ),
    ],
    answer: { description: 'The file.', content: { 'text/csv': file, 'application/x-ndjson': file } },
    errors: inCatalogOrder(new Set([...errorsOf(job), 'gone'])),
    guide: 'jobs',
    in_sdk: 'call',
  }
}
