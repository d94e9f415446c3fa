import { type HrTime, ValueType } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import type { Resource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import { every, systemTimers } from '../flow/timers.ts'
import type { Family, Metrics, Series } from './metrics.ts'

/** Milliseconds, as in the specification of OpenTelemetry. */
const usualInterval = 60_000

/** Sends what `/metrics` shows, under the same names, every minute and at the end. */
export function exportMetrics(metrics: Metrics, endpoint: string, resource: Resource): AsyncDisposable {
  const exporter = new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` })
  const begun = now()
  const send = async () => {
    const families = await metrics.read()
    const data = families.map(family => toMetricData(family, begun))
    const scopeMetrics = [{ scope: { name: 'gatehouse' }, metrics: data }]
    await new Promise<void>(resolve => exporter.export({ resource, scopeMetrics }, () => resolve()))
  }
  const asked = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL)
  const stop = every(
    systemTimers,
    asked > 0 ? asked : usualInterval,
    () => void send().catch(() => undefined),
  )
  return {
    async [Symbol.asyncDispose]() {
      stop()
      await send().catch(() => undefined)
      await exporter.shutdown().catch(() => undefined)
    },
  }
}

function now(): HrTime {
  const milliseconds = Date.now()
  return [Math.floor(milliseconds / 1000), (milliseconds % 1000) * 1_000_000]
}

function toMetricData(family: Family, begun: HrTime): MetricData {
  const { name, help: description } = family
  const unit = name.endsWith('_seconds') ? 's' : name.endsWith('_bytes') ? 'By' : ''
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const at = { startTime: begun, endTime: now() }
  const points = <T>(values: readonly Series<T>[]) =>
    values.map(({ labels, value }) => ({ ...at, attributes: labels, value }))
  if (family.type === 'histogram')
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: points(family.series) }
  const dataPoints = points(family.series)
  return family.type === 'gauge'
    ? { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
    : { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
}
