import type { Choice, DataExport, Home, Location } from './model.ts'
import { noteNetwork } from './network.ts'

/** An error from the service, or the failure to reach it. */
export class Refusal extends Error {
  readonly type: string
  readonly args: Readonly<Record<string, string>>

  constructor(type: string, args: Readonly<Record<string, string>>) {
    super(type)
    this.type = type
    this.args = args
  }
}

const longest = 20_000
/** Milliseconds until a request for nothing but an answer tells that there is none. */
const longestLook = 5_000

async function ask<Answer>(method: string, path: string, token?: string, body?: object): Promise<Answer> {
  return (await send(method, path, token, body)).json()
}

async function send(method: string, path: string, token?: string, body?: object): Promise<Response> {
  const answer = await fetch(`/member/v1${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(longest),
  }).catch(() => {
    noteNetwork(false)
    throw new Refusal('no_network', {})
  })
  noteNetwork(true)
  if (answer.ok) return answer
  const given = await answer.json().catch(() => ({}))
  const { type = 'internal', args = {} } = given as Partial<Refusal>
  throw new Refusal(type, { ...args, seconds: answer.headers.get('retry-after') ?? '' })
}

/** Notes whether the service answers. Costs it nothing: the page is a file. */
export const look = () =>
  fetch('/guest', {
    method: 'HEAD',
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(longestLook),
  }).then(
    () => noteNetwork(true),
    () => noteNetwork(false),
  )

export interface Opened {
  readonly token: string
  readonly home: Home
}

export const enterByLink = (magic_link: string) => ask<Opened>('POST', '/sessions', undefined, { magic_link })

export const enterByTicket = (ticket: string, member_id: string) =>
  ask<Opened>('POST', '/sessions', undefined, { ticket, member_id })

/** Also says whether the service sends email. */
export const sendCode = (email: string) =>
  ask<{ delivery: 'email' | 'outbox' | 'none' }>('POST', '/email_codes', undefined, { email })

export const checkCode = (email: string, code: string) =>
  ask<{ ticket: string; members: Choice[] }>('POST', '/email_codes/check', undefined, { email, code })

export const getHome = (token: string) => ask<Home>('GET', '/home', token)

export const revealPin = (token: string, id: string) =>
  ask<{ pin: string }>('POST', `/pins/${id}/reveal`, token)

export const runAction = (token: string, gadget_id: string, action_id: string, location?: Location) =>
  ask<object>('POST', `/gadgets/${gadget_id}/actions/${action_id}`, token, location ? { location } : {})

export const endSession = (token: string) => ask<object>('DELETE', '/sessions/current', token)

export const getDataExport = (token: string) => ask<DataExport>('GET', '/data_export', token)

export const requestData = (token: string) => ask<DataExport>('POST', '/data_export', token, {})

export const fetchDataFile = async (token: string, name: string) =>
  (await send('GET', `/data_export/files/${name}`, token)).blob()
