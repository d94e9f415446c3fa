import { endpoints } from '@gatehouse-access/api'
import { createClient } from '@gatehouse-access/sdk'
import { expect, test } from 'vitest'
import { placeOf } from '../src/called.ts'

type Methods = Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>

test.each(endpoints.map(endpoint => [endpoint.id, endpoint] as const))(
  '%s is reached',
  async (_id, endpoint) => {
    const sent: string[] = []
    const record = async (url: unknown, init?: RequestInit) => {
      sent.push(`${init?.method} ${url}`)
      return Response.json({ data: [], has_next: false })
    }
    const client = createClient({
      base_url: 'http://localhost/v2',
      token: 'x',
      fetch: record as typeof fetch,
    })
    const { group, name } = placeOf(endpoint)
    const ids = endpoint.params.map(param => `${param.kind}_1`)
    await (client as unknown as Methods)[group]?.[name]?.(...ids)
    const path = endpoint.params.reduce(
      (filled, { name, kind }) => filled.replace(`{${name}}`, `${kind}_1`),
      endpoint.path,
    )
    expect(sent).toEqual([`${endpoint.method} http://localhost/v2${path}`])
  },
)

test('a missing id is refused before anything is sent', () => {
  const client = createClient({ base_url: 'http://localhost/v2', token: 'x' })
  const get = client.member_pins.get as (...given: unknown[]) => unknown
  expect(() => get('mem_1')).toThrow('member_pin.get needs member_pin_id as argument 2, not undefined')
})
