import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accessMethods, explain, toMicroseconds, waysToUse } from '../src/index.ts'
import { anyWorld, compileWorld, here, idOf } from './arbitrary-policy.ts'
import { judge, type OracleRows } from './oracle.ts'
import { runs } from './runs.ts'

const places = [0, 1, 2, 3].flatMap(number =>
  ['open', 'close'].map(action_id => ({ gadget_id: idOf('gad', number), action_id })),
)

test('lists every way that is allowed now or later, and no other', () => {
  fc.assert(
    fc.property(anyWorld, fc.nat(3), ({ rows, anchor }, number) => {
      const policy = compileWorld({ rows })
      const member_id = idOf('mem', number)
      const at = toMicroseconds(anchor)
      const listed = [...waysToUse(policy, { member_id, at })]
      for (const place of places) {
        const ways = listed.find(
          entry => entry.gadget_id === place.gadget_id && entry.action_id === place.action_id,
        )
        for (const access_method of accessMethods) {
          const way = ways?.ways.find(candidate => candidate.access_method === access_method)
          const site_location = siteLocation(rows, place.gadget_id)
          const told = explain(policy, { member_id, ...place, access_method, at, location: site_location })
          expect(way?.next_allowed_at ?? null).toBe(told.next_allowed_at)
          const question = { member_id, ...place, access_method, at: anchor }
          const is_allowed = judge(rows, { ...question, location: here }) === null
          expect(way?.is_allowed ?? false).toBe(is_allowed)
          if (is_allowed)
            expect(way?.requires_location).toBe(judge(rows, { ...question, location: null }) !== null)
        }
      }
    }),
    runs(80, 3000),
  )
})

function siteLocation(rows: OracleRows, gadget_id: string): { lat: number; lng: number } | null {
  const gadget = rows.gadgets.find(row => row.id === gadget_id)
  return rows.sites.find(row => row.id === gadget?.site_id)?.geo?.location ?? null
}
