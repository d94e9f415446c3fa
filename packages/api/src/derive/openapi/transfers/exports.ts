import type { Endpoint } from '../../../endpoints.ts'
import type { Resource } from '../../../kit/resource.ts'
import { scopesOf } from '../../../scopes.ts'
import { exportSort } from '../../list-query.ts'
import { errorsOf } from '../errors.ts'
import { exampleObject } from '../examples.ts'
import { type Parameter, parametersOf, query } from '../parameters.ts'
import { endpointOf, type Transfer } from './transfer.ts'

export function exportEvents(): Transfer {
  return {
    ...download(endpointOf('event.list'), 'id,created_at,recorded_at,verb,object.type,…\r\n'),
    title: 'Export events',
    about:
      'Returns all events that match the filters in one response, however many, oldest first. If the response breaks off, it is incomplete: request it again.',
  }
}

export function exportMembers(): Transfer {
  return {
    ...download(endpointOf('member.list'), 'id,external_id,name,email,groups,starts_at,ends_at,…\r\n'),
    title: 'Export members',
    about:
      'Returns all members that match the filters in one response, however many, oldest first. The CSV has the columns that an import reads, and no secrets. If the response breaks off, it is incomplete: request it again. `POST /exports` writes a file of any list, as it is at one moment.',
  }
}

function download(list: Endpoint, head: string): Omit<Transfer, 'title' | 'about'> {
  const { resource } = list
  const example = `${JSON.stringify(exampleObject(resource))}\n`
  return {
    ...{ id: `${resource.kind}.export`, method: 'GET', path: `${list.path}/export`, resource },
    scopes: scopesOf(list),
    parameters: [
      {
        ...query('format', { type: 'string', enum: ['csv', 'ndjson'] }, 'Format of the export.', 'ndjson'),
        required: true,
      },
      ...parametersOf(list).flatMap(parameter => exportParameter(resource, parameter)),
    ],
    answer: {
      description: 'One object per line.',
      content: {
        'application/x-ndjson': { schema: { type: 'string' }, example },
        'text/csv': { schema: { type: 'string' }, example: head },
      },
    },
    errors: errorsOf(list),
    guide: 'export',
  }
}

/** An export has no pages, and begins with the oldest. */
function exportParameter(resource: Resource, parameter: Parameter): Parameter[] {
  if (parameter.name === 'limit' || parameter.name === 'cursor') return []
  if (parameter.name !== 'sort') return [parameter]
  const initial = `${exportSort(resource)}:asc`
  return [{ ...parameter, schema: { ...parameter.schema, default: initial }, example: initial }]
}
