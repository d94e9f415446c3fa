import type { Endpoint } from '@gatehouse-access/api'
import type { Exchange } from './exchange.ts'

type Labels = Readonly<Record<string, string>>

interface EndpointLabels {
  readonly of_all: Labels
  readonly by_status: Record<number, Labels>
}

// Reuses label objects, because the metrics cache their rendered form.
const known = new Map<Endpoint, EndpointLabels>()

/** Counts an answer when it is sent, and records the time since its request arrived. */
export function countAnswer({ service, endpoint, begun }: Exchange, status: number): void {
  const { of_all, by_status } = known.get(endpoint) ?? learn(endpoint)
  by_status[status] ??= { ...of_all, status: String(status) }
  const { metrics } = service.context
  metrics.count('gatehouse_requests_total', by_status[status])
  metrics.observe('gatehouse_request_seconds', of_all, (performance.now() - begun) / 1000)
}

function learn(endpoint: Endpoint): EndpointLabels {
  const labels = { of_all: { endpoint: endpoint.id }, by_status: {} }
  known.set(endpoint, labels)
  return labels
}
