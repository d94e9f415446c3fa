import type { World } from '@gatehouse-access/testkit'
import { Visitor } from './visitor.ts'

export const password = 'correct horse battery staple'
export const callback = 'https://client.example/callback'

/** Signs up through the pages, with the code from the outbox. */
export async function signUp({ server }: World, email: string, name = 'Test person'): Promise<Visitor> {
  const visitor = new Visitor(server.context.config.public_url)
  await visitor.get('/sign-up')
  await visitor.submit('/sign-up', { name, email, password })
  const mail = server.context.mailer.outbox?.find(({ to }) => to === email)
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(mail?.text ?? '')?.[0] ?? ''
  await visitor.submit('/sign-up/code', { code })
  return visitor
}

/** Changes the password through its page. Returns the status: 303 on success. */
export async function changePassword(
  visitor: Visitor,
  current_password: string,
  next: string,
): Promise<number> {
  await visitor.get('/security/password')
  return (await visitor.submit('/security/password', { current_password, password: next })).status
}

export interface Client {
  readonly client_id: string
  readonly client_secret: string
}

/** Creates an application of this developer. */
export async function register(
  developer: Visitor,
  fields: { redirect_uris?: string[]; is_public?: boolean; requires_pkce?: boolean; name?: string } = {},
): Promise<Client> {
  const { body } = await developer.account<{ id: string; client_secret: string }>(
    'POST',
    '/account/applications',
    {
      name: 'Test client',
      redirect_uris: [callback],
      ...fields,
    },
  )
  return { client_id: body.id, client_secret: body.client_secret }
}

export async function found(owner: Visitor, name = 'Test organization'): Promise<string> {
  const { body } = await owner.account<{ id: string }>('POST', '/account/organizations', { name })
  return body.id
}

export interface Wish {
  readonly client_id: string
  readonly organization_id?: string
  readonly scope?: string
  readonly state?: string
  readonly redirect_uri?: string
  readonly decision?: 'allow' | 'deny'
  readonly more?: Record<string, string>
}

/** Runs the whole OAuth flow of a signed-in user. Returns the final address. */
export async function authorize(visitor: Visitor, wish: Wish): Promise<URL> {
  const query = new URLSearchParams({
    client_id: wish.client_id,
    redirect_uri: wish.redirect_uri ?? callback,
    response_type: 'code',
    scope: wish.scope ?? 'full_read_write offline',
    state: wish.state ?? 'a state',
    ...wish.more,
  })
  await visitor.get(`/oauth2/auth?${query}`)
  const early = await visitor.follow()
  if (early) return new URL(early)
  if (/type="radio"/.test(visitor.text)) {
    await visitor.submit('/authorize/', { organization_id: wish.organization_id ?? '', decision: 'choose' })
    await visitor.follow()
  }
  await visitor.submit('/authorize/', { decision: wish.decision ?? 'allow' })
  const end = await visitor.follow()
  if (!end) throw new Error(`the dance ended at ${visitor.address}: ${visitor.status} ${visitor.text}`)
  return new URL(end)
}

export interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token?: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly error?: string
}

export async function askToken(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: TokenAnswer; headers: Headers }> {
  const answer = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
  })
  return { status: answer.status, body: (await answer.json()) as TokenAnswer, headers: answer.headers }
}

export function exchange(url: string, client: Client, code: string, more: Record<string, string> = {}) {
  return askToken(url, { grant_type: 'authorization_code', ...client, code, ...more })
}

export function refresh(
  url: string,
  client: Client,
  refresh_token: string,
  more: Record<string, string> = {},
) {
  return askToken(url, { grant_type: 'refresh_token', ...client, refresh_token, ...more })
}

export function codeOf(end: URL): string {
  return end.searchParams.get('code') ?? ''
}

export async function statusOf(url: string, token: string, path = '/members'): Promise<number> {
  const answer = await fetch(`${url}/v2${path}`, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.status
}
