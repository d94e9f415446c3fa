import { memberEndpoints } from '@gatehouse-access/api'
import { expect, test } from 'vitest'
import { memberHandlers } from '../src/http/member/handlers.ts'

test('every endpoint of the member API has its handler, and no handler is left over', () => {
  expect(Object.keys(memberHandlers).sort()).toEqual(memberEndpoints.map(({ id }) => id).sort())
})
