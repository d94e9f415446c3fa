import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AccessMethod, accessMethods, toMicroseconds, whatMayUse, whoMayUse } from '../src/index.ts'
import { anyWorld, compileWorld, here, idOf } from './arbitrary-policy.ts'
import { judge, type OracleRows } from './oracle.ts'
import { runs } from './runs.ts'

interface Place {
  gadget_id: string
  action_id: string
}

const places: Place[] = [0, 1, 2, 3].flatMap(number =>
  ['open', 'close'].map(action_id => ({ gadget_id: idOf('gad', number), action_id })),
)
const anyMethod = fc.constantFrom<AccessMethod | undefined>(undefined, ...accessMethods)

test('whoMayUse lists in the order of ids whom the oracle allows', () => {
  fc.assert(
    fc.property(anyWorld, fc.constantFrom(...places), anyMethod, ({ rows, anchor }, place, method) => {
      const query = { ...place, at: toMicroseconds(anchor), ...(method && { access_method: method }) }
      const listed = [...whoMayUse(compileWorld({ rows }), query)]
      const ids = rows.members.map(member => member.id).sort()
      const expected = ids.flatMap(member_id => entry(rows, { member_id }, place, anchor, method))
      expect(listed).toEqual(expected.map(({ gadget_id: _, action_id: __, ...rest }) => rest))
    }),
    runs(80, 3000),
  )
})

test('whatMayUse lists in the order of gadget ids what the oracle allows', () => {
  fc.assert(
    fc.property(anyWorld, fc.nat(3), anyMethod, ({ rows, anchor }, number, method) => {
      const member_id = idOf('mem', number)
      const query = { member_id, at: toMicroseconds(anchor), ...(method && { access_method: method }) }
      const expected = places.flatMap(place => entry(rows, { member_id }, place, anchor, method))
      expect([...whatMayUse(compileWorld({ rows }), query)]).toEqual(
        expected.map(({ member_id: _, ...rest }) => rest),
      )
    }),
    runs(80, 3000),
  )
})

test('a page begins after the last entry of the one before', () => {
  fc.assert(
    fc.property(anyWorld, fc.constantFrom(...places), fc.nat(3), ({ rows, anchor }, place, number) => {
      const policy = compileWorld({ rows })
      const at = toMicroseconds(anchor)
      const who = [...whoMayUse(policy, { ...place, at })]
      for (const [index, { member_id: after }] of who.entries())
        expect([...whoMayUse(policy, { ...place, at, after })]).toEqual(who.slice(index + 1))
      const query = { member_id: idOf('mem', number), at }
      const what = [...whatMayUse(policy, query)]
      for (const [index, after] of what.entries())
        expect([...whatMayUse(policy, { ...query, after })]).toEqual(what.slice(index + 1))
    }),
    runs(60, 2000),
  )
})

function entry(rows: OracleRows, who: { member_id: string }, place: Place, at: string, asked?: AccessMethod) {
  const allows = (access_method: AccessMethod, location: typeof here | null) =>
    judge(rows, { ...who, ...place, access_method, at, location }) === null
  const methods = (asked ? [asked] : accessMethods).filter(method => allows(method, here))
  if (methods.length === 0) return []
  const requires_location = methods.includes('online') && !allows('online', null)
  return [{ ...who, ...place, access_methods: methods, requires_location }]
}
