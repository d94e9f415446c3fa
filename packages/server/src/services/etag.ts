import { hash } from 'node:crypto'
import { fieldsFor, RequestError, type Resource } from '@gatehouse/api'
import type { Row } from '../store/db.ts'

/** A tag over the fields a client can edit: it moves exactly when one of them does. */
export function etagOf(resource: Resource, row: Row): string {
  const values = fieldsFor(resource, 'edit').map(([name]) => row[name])
  return `"${hash('sha1', JSON.stringify(values), 'base64url')}"`
}

export function checkPrecondition(resource: Resource, row: Row, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map(tag => tag.trim())
  const current = etagOf(resource, row)
  if (tags.includes(current)) return
  throw new RequestError(
    'precondition_failed',
    `the ${resource.kind.replaceAll('_', ' ')} has changed: If-Match is ${ifMatch.slice(0, 100)}, its ETag is ${current}`,
    {
      args: { etag: current },
    },
  )
}
