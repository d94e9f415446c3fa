import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { signUp } from './people.ts'

test('a body of /account that is not JSON is refused as what it is', async () => {
  await using w = await world({ is_reachable: true })
  const visitor = await signUp(w, 'ada@example.com')
  const { body } = await visitor.account<{ csrf_token: string }>('GET', '/account/session')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const post = async (type: string, text: string) => {
    const headers = { cookie, 'x-csrf-token': body.csrf_token, 'content-type': type }
    const answer = await fetch(`${visitor.url}/account/organizations`, {
      method: 'POST',
      headers,
      body: text,
    })
    return [answer.status, ((await answer.json()) as { message: string }).message]
  }
  expect(await post('application/json', '{"name": ')).toEqual([
    400,
    expect.stringContaining('not valid JSON'),
  ])
  expect(await post('text/csv', 'name\nHotel')).toEqual([415, expect.stringContaining('application/json')])
})
