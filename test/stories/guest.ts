import { memberEndpoints } from '@gatehouse-access/api'
import type { World } from '@gatehouse-access/testkit'
import { expect } from 'vitest'

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** A phone that calls the member API with its token. Responses are checked against the declarations. */
export class Phone {
  readonly url: string
  readonly headers: Record<string, string>
  token: string | undefined

  constructor(w: Pick<World, 'url'>, token?: string, headers: Record<string, string> = {}) {
    this.url = `${w.url}/member/v1`
    this.token = token
    this.headers = headers
  }

  async ask<Body = Record<string, never>>(
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer<Body>> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        ...this.headers,
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const given = (await answer.json()) as Body
    if (answer.status === 200) agrees(method, path, given)
    return { status: answer.status, headers: answer.headers, body: given }
  }

  async enter(link: string): Promise<Answer<SessionBody>> {
    const answer = await this.ask<SessionBody>('POST', '/sessions', { magic_link: link.split('#')[1] })
    if (answer.status === 200) this.token = answer.body.token
    return answer
  }

  open(
    gadget_id: string,
    body: object = {},
  ): Promise<Answer<{ args: Record<string, string>; type: string }>> {
    return this.ask('POST', `/gadgets/${gadget_id}/actions/open`, body)
  }
}

export interface Way {
  access_method: string
  is_allowed: boolean
  requires_location: boolean
  reason: string | null
  next_allowed_at: string | null
  readonly closed_by: { readonly date: string; readonly name: string | null } | null
}
export interface HomeBody {
  member_id: string
  organization: { id: string; name: string }
  starts_at: string | null
  sites: { id: string; map: { image_url: string | null } | null }[]
  gadgets: { id: string; name: string; is_online: boolean; actions: { id: string; ways: Way[] }[] }[]
  pins: { id: string; length: number }[]
}
export interface SessionBody {
  token: string
  home: HomeBody
}

function agrees(method: string, path: string, given: unknown): void {
  const endpoint = memberEndpoints.find(
    declared =>
      declared.method === method && new RegExp(`^${declared.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  expect(() => endpoint?.answer.parse(given, '')).not.toThrow()
}
