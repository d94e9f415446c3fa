type Labels = Readonly<Record<string, string>>

/** Counters, histograms and gauges in the Prometheus text format. Gauges are read on render. */
export interface Metrics {
  count(name: string, labels: Labels, by?: number): void
  observe(name: string, labels: Labels, seconds: number): void
  gauge(name: string, help: string, read: () => number | Promise<number>, labels?: Labels): void
  render(): Promise<string>
}

const buckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10]
const help: Record<string, string> = {
  gatehouse_requests_total: 'Requests answered, by endpoint and status.',
  gatehouse_request_seconds: 'Time to answer a request, by endpoint.',
  gatehouse_members_expired_total: 'Members deleted a day after their access ended.',
  gatehouse_deliveries_queued_total: 'Deliveries created for events.',
  gatehouse_delivery_attempts_total: 'Delivery attempts, by whether they were accepted.',
  gatehouse_webhooks_disabled_total: 'Webhooks turned off because they failed for days.',
  gatehouse_events_set_aside_total: 'Events that a consumer of the feed could not handle; should be 0.',
  gatehouse_device_events_total: 'Events that devices uploaded.',
  gatehouse_device_closings_total: 'Connections of devices that the service closed, by reason.',
  gatehouse_streams_closed_total: 'Event streams that ended, by reason.',
}

export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>()
  const histograms = new Map<string, Map<string, number[]>>()
  const gauges = new Map<string, { help: string; series: Map<string, () => number | Promise<number>> }>()
  return {
    count(name, labels, by = 1) {
      const series = entry(counters, name, () => new Map<string, number>())
      const key = renderLabels(labels)
      series.set(key, (series.get(key) ?? 0) + by)
    },
    observe(name, labels, seconds) {
      const series = entry(histograms, name, () => new Map<string, number[]>())
      const counts = entry(series, renderLabels(labels), () => new Array<number>(buckets.length + 2).fill(0))
      for (const [index, most] of buckets.entries()) if (seconds <= most) add(counts, index, 1)
      add(counts, buckets.length, 1)
      add(counts, buckets.length + 1, seconds)
    },
    gauge(name, about, read, labels = {}) {
      entry(gauges, name, () => ({ help: about, series: new Map() })).series.set(renderLabels(labels), read)
    },
    async render() {
      const lines: string[] = []
      for (const [name, series] of counters)
        lines.push(
          ...head(name, 'counter'),
          ...[...series].map(([key, value]) => `${name}${braced(key)} ${value}`),
        )
      for (const [name, series] of histograms)
        lines.push(
          ...head(name, 'histogram'),
          ...[...series].flatMap(([key, counts]) => renderHistogram(name, key, counts)),
        )
      for (const [name, { help, series }] of gauges) {
        lines.push(...head(name, 'gauge', help))
        for (const [key, read] of series) lines.push(`${name}${braced(key)} ${await read()}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function head(name: string, type: string, about = help[name] ?? name): string[] {
  const text = about.replace(/[\\\n]/g, escaped)
  return [`# HELP ${name} ${text}`, `# TYPE ${name} ${type}`]
}

function renderHistogram(name: string, key: string, counts: readonly number[]): string[] {
  const total = counts[buckets.length] ?? 0
  const bucket = (bound: string) => `${name}_bucket${braced(key ? `${key},le="${bound}"` : `le="${bound}"`)}`
  return [
    ...buckets.map((bound, index) => `${bucket(String(bound))} ${counts[index]}`),
    `${bucket('+Inf')} ${total}`,
    `${name}_count${braced(key)} ${total}`,
    `${name}_sum${braced(key)} ${(counts[buckets.length + 1] ?? 0).toFixed(6)}`,
  ]
}

function braced(key: string): string {
  return key && `{${key}}`
}

function escaped(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`
}

const rendered = new WeakMap<Labels, string>()

// Cached, since every request counts with the same few label objects.
function renderLabels(labels: Labels): string {
  const known = rendered.get(labels)
  if (known !== undefined) return known
  const text = Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`)
    .join(',')
  rendered.set(labels, text)
  return text
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

function add(counts: number[], index: number, by: number): void {
  counts[index] = (counts[index] ?? 0) + by
}
