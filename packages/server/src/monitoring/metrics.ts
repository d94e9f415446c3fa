type Labels = Readonly<Record<string, string>>

/** Counters, histograms and gauges in the Prometheus text format. Gauges are read on render. */
export interface Metrics {
  count(name: string, labels: Labels, by?: number): void
  observe(name: string, labels: Labels, seconds: number): void
  gauge(name: string, help: string, read: () => number | Promise<number>, labels?: Labels): void
  /** Returns everything as of now. */
  read(): Promise<Family[]>
  render(): Promise<string>
}

export interface Series<Value> {
  readonly labels: Labels
  readonly value: Value
}

export interface Distribution {
  readonly buckets: { readonly boundaries: number[]; readonly counts: number[] }
  readonly count: number
  readonly sum: number
}

/** A metric with all its series. */
export type Family = { readonly name: string; readonly help: string } & (
  | { readonly type: 'counter' | 'gauge'; readonly series: readonly Series<number>[] }
  | { readonly type: 'histogram'; readonly series: readonly Series<Distribution>[] }
)

const buckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10]
const help: Record<string, string> = {
  gatehouse_requests_total: 'Requests answered, by endpoint and status.',
  gatehouse_request_seconds: 'Time to answer a request, by endpoint.',
  gatehouse_members_expired_total: 'Members deleted a day after their access ended.',
  gatehouse_events_expired_total: 'Events that lost what was too old, or were deleted.',
  gatehouse_deliveries_queued_total: 'Deliveries created for events.',
  gatehouse_delivery_attempts_total: 'Delivery attempts, by whether they were accepted.',
  gatehouse_webhooks_disabled_total: 'Webhooks turned off because they failed for days.',
  gatehouse_alarms_opened_total: 'Alarms opened.',
  gatehouse_notifications_queued_total: 'Notifications of alarms created for people and targets.',
  gatehouse_notification_attempts_total:
    'Attempts to hand a message to people over, by channel and whether it was accepted.',
  gatehouse_events_set_aside_total: 'Events that a consumer of the feed could not handle; should be 0.',
  gatehouse_device_events_total: 'Events that devices uploaded.',
  gatehouse_device_closings_total: 'Connections of devices that the service closed, by reason.',
  gatehouse_reads_total: 'Reads that standbys may serve, by who served them.',
  gatehouse_streams_closed_total: 'Event streams that ended, by reason.',
  gatehouse_guest_guesses_total: 'Wrong codes and links that somebody tried as a guest, by kind.',
}
/** Counters without labels begin with 0: of one that begins with 1, Prometheus would not see the first increase. */
const withoutLabels = [
  'gatehouse_members_expired_total',
  'gatehouse_events_expired_total',
  'gatehouse_deliveries_queued_total',
  'gatehouse_webhooks_disabled_total',
  'gatehouse_alarms_opened_total',
  'gatehouse_notifications_queued_total',
  'gatehouse_device_events_total',
]

/** The series of one metric, by their rendered labels. */
type SeriesByKey<Value> = Map<string, { readonly labels: Labels; value: Value }>
type Read = () => number | Promise<number>

export function createMetrics(): Metrics {
  const counters = new Map<string, SeriesByKey<number>>()
  const histograms = new Map<string, SeriesByKey<number[]>>()
  const gauges = new Map<string, { about: string; series: SeriesByKey<Read> }>()
  for (const name of Object.keys(help))
    if (name.endsWith('_total')) counters.set(name, newSeries())
    else histograms.set(name, newSeries())
  for (const name of withoutLabels) counters.get(name)?.set('', { labels: {}, value: 0 })
  const read = async () => [
    ...[...counters].map(([name, series]) => readCounter(name, series)),
    ...[...histograms].map(([name, series]) => readHistogram(name, series)),
    ...(await Promise.all([...gauges].map(([name, { about, series }]) => readGauge(name, about, series)))),
  ]
  return {
    count(name, labels, by = 1) {
      const series = entry(counters, name, newSeries<number>)
      const key = renderLabels(labels)
      const known = series.get(key)
      if (known) known.value += by
      else series.set(key, { labels, value: by })
    },
    observe(name, labels, seconds) {
      const series = entry(histograms, name, newSeries<number[]>)
      const { value } = entry(series, renderLabels(labels), () => ({ labels, value: noCounts() }))
      const bucket = buckets.findIndex(most => seconds <= most)
      add(value, bucket < 0 ? buckets.length : bucket, 1)
      add(value, buckets.length + 1, seconds)
    },
    gauge(name, about, value, labels = {}) {
      const { series } = entry(gauges, name, () => ({ about, series: newSeries<Read>() }))
      series.set(renderLabels(labels), { labels, value })
    },
    read,
    render: async () => `${(await read()).flatMap(renderFamily).join('\n')}\n`,
  }
}

function newSeries<Value>(): SeriesByKey<Value> {
  return new Map()
}

/** One count for each bucket, one for what is above all of them, and the sum. */
function noCounts(): number[] {
  return new Array<number>(buckets.length + 2).fill(0)
}

function readCounter(name: string, series: SeriesByKey<number>): Family {
  return {
    name,
    help: help[name] ?? name,
    type: 'counter',
    series: [...series.values()].map(one => ({ ...one })),
  }
}

function readHistogram(name: string, series: SeriesByKey<number[]>): Family {
  const read = ({ labels, value }: Series<number[]>) => ({ labels, value: distributionOf(value) })
  return { name, help: help[name] ?? name, type: 'histogram', series: [...series.values()].map(read) }
}

function distributionOf(value: readonly number[]): Distribution {
  const counts = value.slice(0, buckets.length + 1)
  const count = counts.reduce((sum, each) => sum + each, 0)
  return { buckets: { boundaries: [...buckets], counts }, count, sum: value.at(-1) ?? 0 }
}

async function readGauge(name: string, about: string, series: SeriesByKey<Read>): Promise<Family> {
  const read = async ({ labels, value }: Series<Read>) => ({ labels, value: await value() })
  return { name, help: about, type: 'gauge', series: await Promise.all([...series.values()].map(read)) }
}

function renderFamily(family: Family): string[] {
  const { name, help, type, series } = family
  const text = help.replace(/[\\\n]/g, escaped)
  const head = [`# HELP ${name} ${text}`, `# TYPE ${name} ${type}`]
  if (type === 'histogram') return [...head, ...series.flatMap(one => renderHistogram(name, one))]
  return [...head, ...series.map(({ labels, value }) => `${name}${braced(renderLabels(labels))} ${value}`)]
}

function renderHistogram(name: string, { labels, value }: Series<Distribution>): string[] {
  const key = renderLabels(labels)
  const { boundaries, counts } = value.buckets
  let total = 0
  const lines = [...boundaries.map(String), '+Inf'].map((bound, index) => {
    total += counts[index] ?? 0
    return `${name}_bucket${braced(key ? `${key},le="${bound}"` : `le="${bound}"`)} ${total}`
  })
  return [
    ...lines,
    `${name}_count${braced(key)} ${total}`,
    `${name}_sum${braced(key)} ${value.sum.toFixed(6)}`,
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
