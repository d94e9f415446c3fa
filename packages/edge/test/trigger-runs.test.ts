import type { JournalEvent } from '@gatehouse-access/api'
import { expect, test } from 'vitest'
import { TriggerRuns } from '../src/station/trigger-runs.ts'
import { trigger } from './slices.ts'

const opening = trigger({ id: 'gt_open', target_gadget_id: 'gad_street', target_action_id: 'open' })

/** Fires a trigger at a door whose mode takes several steps to find out. Returns what was driven and recorded. */
async function fire(isHeldBack: boolean): Promise<string[]> {
  const happened: string[] = []
  const runs = new TriggerRuns({
    platform: { monotonic: () => 0 },
    log: { info: () => {}, error: () => {} },
    holdsBack: () => new Promise(resolve => setImmediate(resolve, isHeldBack)),
    drive: async (_gadget, action) => {
      happened.push(action)
      return { outcome: 'done' }
    },
    append: draft => {
      happened.push(draft.type)
      return { ...draft, sequence: 1, occurred_at: '' } as JournalEvent
    },
  })
  await runs.fire([opening])
  return happened
}

test('a trigger waits until it is known whether a lockdown holds it back', async () => {
  expect(await fire(true)).toEqual(['trigger_denial'])
  expect(await fire(false)).toEqual(['open', 'trigger'])
})
