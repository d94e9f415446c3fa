import { expect, test } from 'vitest'
import { createMetrics } from '../src/monitoring/metrics.ts'

test('what has no labels is written without braces', async () => {
  const metrics = createMetrics()
  metrics.count('gatehouse_members_expired_total', {})
  metrics.observe('gatehouse_request_seconds', {}, 0.01)
  const lines = (await metrics.render()).split('\n')
  expect(lines).toContain('gatehouse_members_expired_total 1')
  expect(lines).toContain('gatehouse_request_seconds_bucket{le="0.025"} 1')
  expect(lines).toContain('gatehouse_request_seconds_bucket{le="+Inf"} 1')
  expect(lines).toContain('gatehouse_request_seconds_count 1')
  expect(lines).toContain('gatehouse_request_seconds_sum 0.010000')
})

test('values of labels are escaped, so that none can end its line or add a label', async () => {
  const metrics = createMetrics()
  metrics.count('gatehouse_requests_total', { endpoint: 'a"b\\c\nd' })
  metrics.gauge('gatehouse_lag', 'One line\nor \\ two.', () => 1, { consumer: '"' })
  const lines = (await metrics.render()).split('\n')
  expect(lines).toContain('gatehouse_requests_total{endpoint="a\\"b\\\\c\\nd"} 1')
  expect(lines).toContain('gatehouse_lag{consumer="\\""} 1')
  expect(lines).toContain('# HELP gatehouse_lag One line\\nor \\\\ two.')
})
