import { type Client, clientOver } from '@gatehouse-access/sdk'
import { createContext, useContext } from 'react'
import { endpoints } from '../data/declarations.ts'
import { type AccountMethod, callAccount } from './account.ts'
import { isSiteRole, type Organization, type Session } from './session.ts'

/** What screens work with: one organization, as the signed-in user. */
interface Api {
  readonly organization: Organization
  readonly session: Session
  /** False where the role only reads: everywhere for viewers. Hide actions that would be refused. */
  readonly may_write: boolean
  /** Whether the role changes nothing anywhere. */
  readonly is_viewer: boolean
  /** False for roles that can be limited to some sites. Hide what is for those who run the whole organization. */
  readonly sees_all: boolean
  /** Whether the role sees members and events. */
  readonly sees_people: boolean
  /** Whether the role opens doors and sets their modes. */
  readonly may_run_doors: boolean
  /** Whether the role has the screen of a path. Do not link to others. */
  has_screen(path: string): boolean
  readonly client: Client
  account<T>(method: AccountMethod, path: string, body?: object): Promise<T>
  /** The headers of this session, for requests that bypass the client, such as exports. */
  readonly headers: Readonly<Record<string, string>>
}

export function createApi(session: Session, organization: Organization, paths: readonly string[]): Api {
  const { role } = organization
  const is_viewer = role === 'viewer' || role === 'site_viewer'
  const headers = { 'x-organization-id': organization.id, 'x-csrf-token': session.csrf_token }
  return {
    organization,
    session,
    may_write: !is_viewer,
    is_viewer,
    sees_all: !isSiteRole(role),
    sees_people: role !== 'installer',
    may_run_doors: !is_viewer && role !== 'installer',
    has_screen: path => paths.some(known => known !== '/' && path.startsWith(known)),
    client: clientOver(endpoints, { base_url: '/v2', headers, retries: 2 }),
    account: (method, path, body) => callAccount(method, path, body, session.csrf_token),
    headers,
  }
}

export const ApiContext = createContext<Api | undefined>(undefined)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (!api) throw new Error('useApi is used outside of an organization')
  return api
}
