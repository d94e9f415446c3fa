import { expect, test } from 'vitest'
import { findFaults } from '../../scripts/structure/faults.ts'
import type { Source } from '../../scripts/structure/sources.ts'

const plain = { package: 'server', lines: 10, casts: 0, functions: [], has_sql: false }

function file(path: string, ...imports: string[]): Source {
  return {
    ...plain,
    path: `packages/server/src/${path}`,
    imports: imports.map(to => ({ to: `packages/server/src/${to}`, is_type: true })),
  }
}

test('an import from a room above is found, one from a room below is none of its business', () => {
  const faults = findFaults([
    file('store/write.ts', 'services/objects/objects.ts'),
    file('services/objects/objects.ts', 'database/db.ts'),
    file('database/db.ts'),
  ])
  expect(faults).toEqual([expect.stringMatching(/store\/write\.ts imports .*objects\.ts/)])
})

test('files that import each other by way of others are found, by types alone too', () => {
  const faults = findFaults([
    file('flow/one.ts', 'flow/two.ts'),
    file('flow/two.ts', 'flow/three.ts'),
    file('flow/three.ts', 'flow/one.ts'),
    file('flow/apart.ts', 'flow/one.ts'),
  ])
  expect(faults).toEqual([expect.stringMatching(/import each other: .*one\.ts, .*two\.ts, .*three\.ts$/)])
})

test('a statement beside the routes is found', () => {
  const asking = { ...file('http/api/routes.ts'), has_sql: true }
  expect(findFaults([asking, { ...file('store/list.ts'), has_sql: true }])).toEqual([
    expect.stringMatching(/http\/api\/routes\.ts asks the database/),
  ])
})

test('a folder that belongs to no room and a crowded one are found', () => {
  expect(findFaults([file('attic/box.ts')])).toEqual([expect.stringMatching(/attic\/box\.ts is in no room/)])
  const crowd = Array.from({ length: 26 }, (_, at) => file(`store/${at}.ts`))
  expect(findFaults(crowd)).toEqual([expect.stringMatching(/store has 26 files/)])
})
