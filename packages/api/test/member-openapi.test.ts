import { expect, test } from 'vitest'
import { memberEndpoints, memberOpenApi } from '../src/index.ts'
import { lintOpenApi } from './lint-openapi.ts'

test('the document of the member API is valid and complete', async () => {
  const document = memberOpenApi('https://gatehouse.test/member/v1')
  expect(await lintOpenApi(document)).toEqual([])
  const operations = Object.values(document.paths as Record<string, object>).flatMap(path =>
    Object.values(path),
  )
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    memberEndpoints.map(({ id }) => id).sort(),
  )
})
