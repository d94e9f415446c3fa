import { endpoints } from '@gatehouse/api'
import { expect, test } from 'vitest'
import { actions } from '../../packages/server/src/http/actions.ts'

test('every declared action is served, and nothing else', () => {
  const declared = endpoints.filter(({ verb }) => verb === 'action').map(({ id }) => id)
  expect(Object.keys(actions).sort()).toEqual(declared.sort())
})
