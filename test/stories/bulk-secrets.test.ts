import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'

test('a bulk that made a PIN is not repeated to a token that may only read', async () => {
  await using w = await world()
  const tenant = await w.tenant()
  const { id } = await tenant.client.members.create({ name: 'Ann' })
  const send = async (token: string) =>
    fetch(`${w.url}/v2/bulk`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'one',
      },
      body: JSON.stringify({ operations: [{ method: 'POST', path: `/members/${id}/pins`, body: {} }] }),
    })
  const first = (await (await send(tenant.token)).json()) as { results: { body: { pin: string } }[] }
  expect(first.results[0]?.body.pin).toMatch(/^\d+$/)
  expect((await send(await tenant.tokenWith(['full_read_only']))).status).toBe(403)
  expect(await (await send(tenant.token)).json()).toEqual(first)
})
