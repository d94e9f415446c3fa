import type { ObjectOf, Resources } from '@gatehouse-access/api'
import type { Visitor } from '../oauth/visitor.ts'

export type Organization = ObjectOf<Resources['organization']>

/** Asks the API as a user of the organization, with the session. */
export function asUser<Body = Record<string, unknown>>(visitor: Visitor, organization_id: string) {
  return <Answer = Body>(method: string, path: string, body?: object) =>
    visitor.account<Answer>(method, `/v2${path}`, body, { 'x-organization-id': organization_id })
}
