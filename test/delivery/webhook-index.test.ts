import type { ObjectType } from '@gatehouse-access/api'
import { expect, test } from 'vitest'
import { type Subscriber, WebhookIndex } from '../../packages/server/src/delivery/webhooks/webhook-index.ts'
import type { FeedEvent } from '../../packages/server/src/events/feed-event.ts'

const webhook = (id: string, organization_id: string, filter: Subscriber['filter']): Subscriber => ({
  id,
  organization_id,
  oauth_application_id: 'app_1',
  filter,
  expand: [],
  since: '1.5.0',
})

const happened = (type: ObjectType, verb: 'edit' | 'delete', position = '1.9.1'): FeedEvent => ({
  event: {
    id: 'evt_1',
    organization_id: 'org_1',
    subject: {},
    verb,
    object: { type },
    created_at: '',
    occurred_at: '',
    recorded_at: '',
    local_time: null,
    explanation: null,
    clock_adjusted: false,
    is_unlinked: false,
  },
  position,
})

test('of 10,000 webhooks only the filters of the same organization, type and verb are tried', () => {
  const index = new WebhookIndex()
  let tried = 0
  const watched = {
    get 'object.gadget_id'() {
      tried++
      return 'gad_1'
    },
  }
  for (let number = 0; number < 10_000; number++)
    index.put(
      webhook(`wh_${number}`, `org_${number % 100}`, [{ object_type: 'site', verb: 'edit', ...watched }]),
    )
  tried = 0
  index.put(webhook('wh_x', 'org_1', [{ object_type: 'member' }, { 'object.type': 'member', verb: 'edit' }]))
  const begin = process.cpuUsage()
  for (let count = 0; count < 10_000; count++) expect(index.match(happened('member', 'edit'))).toHaveLength(1)
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(2000)
  expect(tried).toBe(0)
})

test('a webhook is matched from its creation on, and no more once it is removed', () => {
  const index = new WebhookIndex()
  index.put(webhook('wh_x', 'org_1', [{ object_type: 'member', verb: null }]))
  expect(index.match(happened('member', 'delete', '1.4.9'))).toEqual([])
  expect(index.match(happened('member', 'delete'))).toHaveLength(1)
  index.remove('wh_x')
  expect(index.match(happened('member', 'delete'))).toEqual([])
})
