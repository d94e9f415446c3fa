import {
  compilePolicy,
  type Policy,
  type PolicyRows,
  toMicroseconds,
  whoMayUse,
} from '../../packages/core/src/index.ts'
import { measure } from './measure.ts'
import { issueSize, makeOrganization } from './organization.ts'

export function measureCompile(): void {
  const rows = makeOrganization({ ...issueSize, members: 100_000 })
  // Keeps the first policy: if it were freed while memory is measured, the second would seem smaller.
  const policies = [compilePolicy(rows)]
  const before = memoryUsed()
  const begin = performance.now()
  policies.push(compilePolicy(rows))
  const took = performance.now() - begin
  const bytes = (memoryUsed() - before) / 100_000
  console.log(`compile 100,000 members: ${took.toFixed(0)} ms, ${bytes.toFixed(0)} bytes a member`)
  for (const policy of policies.slice(1)) measureFirstPage(policy, rows)
}

function measureFirstPage(policy: Policy, rows: PolicyRows): void {
  const gadget_id = rows.gadgets[0]?.id ?? ''
  const at = toMicroseconds('2026-11-16T12:00:00.000000Z')
  const perSecond = measure(
    [0],
    () => whoMayUse(policy, { gadget_id, action_id: 'open', at }).take(100).toArray().length > 0,
  )
  console.log(`first page of whoMayUse at 100,000 members: ${(1e6 / perSecond).toFixed(0)} µs`)
}

/** Needs `node --expose-gc`. Without it, the figure is too high. */
function memoryUsed(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
