import { hash } from 'node:crypto'
import { type AnyChanges, fieldsFor, RequestError, type Resource } from '@gatehouse-access/api'

/** Hashes the fields that a client can edit: the tag changes exactly when one of them changes. */
export function etagOf(resource: Resource, row: AnyChanges): string {
  let text = ''
  for (const [name] of fieldsFor(resource, 'edit')) text += `${textOf(row[name])}\0`
  return `"${hash('sha256', text, 'hex').slice(0, 16)}"`
}

/** Encodes distinct values distinctly: stored strings contain no NUL, and only strings begin with a quote. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? `"${value}` : JSON.stringify(value ?? null)
}

export function checkPrecondition(resource: Resource, row: AnyChanges, ifMatch: string | undefined): void {
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
