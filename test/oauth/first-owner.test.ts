import { makeFirstLink } from '@gatehouse-access/server'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { found, password } from './people.ts'
import { Visitor } from './visitor.ts'

const person = { name: 'First person', email: 'first@example.com', password }

test("the operator's link makes the first owner without a mail, once", async () => {
  await using w = await world({ is_reachable: true, signup: 'invited' })
  const { context } = w.server
  const { public_url } = context.config
  const link = makeFirstLink(context, public_url).slice(public_url.length)

  const forged = new Visitor(public_url)
  expect((await forged.get(`${link.slice(0, -2)}xx`)).status).toBe(400)

  const [first, second] = [new Visitor(public_url), new Visitor(public_url)]
  for (const visitor of [first, second]) expect((await visitor.get(link)).status).toBe(200)
  const statuses = await Promise.all([
    first.submit('/sign-up', person).then(({ status }) => status),
    second.submit('/sign-up', { ...person, email: 'second@example.com' }).then(({ status }) => status),
  ])
  expect(statuses.toSorted()).toEqual([303, 400])
  const winner = statuses[0] === 303 ? first : second
  expect(await found(winner)).toMatch(/^org_/)
  expect(context.mailer.outbox).toEqual([])
  expect((await new Visitor(public_url).get(link)).status).toBe(400)
})

test("the operator's link expires, and is worth nothing under another key", async () => {
  await using w = await world({ is_reachable: true, signup: 'invited' })
  await using other = await world()
  const { public_url } = w.server.context.config
  const foreign = makeFirstLink(other.server.context, public_url)
  expect((await fetch(foreign)).status).toBe(400)
  const link = makeFirstLink(w.server.context, public_url)
  expect((await fetch(link)).status).toBe(200)
  w.clock.advance(8 * 86_400)
  expect((await fetch(link)).status).toBe(400)
})
