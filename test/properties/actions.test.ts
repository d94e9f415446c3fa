import { type Endpoint, endpoints } from '@gatehouse-access/api'
import { expect, test } from 'vitest'
import { actions, queries } from '../../packages/server/src/http/api/actions.ts'

const declared = (...verbs: Endpoint['verb'][]) =>
  endpoints.filter(({ verb }) => verbs.includes(verb)).map(({ id }) => id)

test('every declared action is served, and nothing else', () => {
  expect(Object.keys(actions).sort()).toEqual(declared('action', 'command').sort())
})

test('every declared query is answered, and nothing else', () => {
  expect(Object.keys(queries).sort()).toEqual(declared('query').sort())
})
