import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { version } from '../config/version.ts'
import { pause, systemTimers } from '../flow/timers.ts'
import { exportMetrics } from './otlp-metrics.ts'
import type { Attributes, Span, SpanOptions, Tracing, TracingOptions } from './tracing.ts'
import { Trouble } from './trouble.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER }
/** Milliseconds. */
const longestGoodbye = 1000
const traceparent = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-|$)/

/** The current span is kept per asynchronous flow, here and not in a global of the packages. */
export class OpenTelemetry implements Tracing {
  readonly #current = new AsyncLocalStorage<Recorded>()
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #metrics: AsyncDisposable

  constructor({ endpoint, sampled, log, metrics }: TracingOptions) {
    reportTo(log)
    const ours = resourceFromAttributes({ 'service.name': 'gatehouse', 'service.version': version })
    const given = detectResources({ detectors: [envDetector] })
    const resource = defaultResource().merge(ours).merge(given)
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
    this.#provider = new TracerProvider({
      resource,
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampled) }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    })
    this.#tracer = this.#provider.getTracer('gatehouse', version)
    this.#metrics = exportMetrics(metrics, endpoint, resource)
  }

  begin({ name, kind, attributes, parent, request_id }: SpanOptions): Recorded {
    const current = parent === undefined ? this.#current.getStore() : undefined
    const above = parent === undefined ? current?.context : remoteContext(parent)
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, above ?? ROOT_CONTEXT)
    return new Recorded(span, request_id ?? current?.request_id)
  }

  inside<T>(span: Recorded, work: () => T): T {
    return this.#current.run(span, work)
  }

  async trace<T>(options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.begin(options)
    try {
      const result = await this.inside(span, () => work(span))
      span.end()
      return result
    } catch (error) {
      span.end(error)
      throw error
    }
  }

  isInside(): boolean {
    return this.#current.getStore()?.isRecording() ?? false
  }

  current(): object {
    return this.#current.getStore()?.ids ?? {}
  }

  /** Sends what is left, unless the collector takes too long: a stop must not wait for it. */
  async [Symbol.asyncDispose](): Promise<void> {
    const sent = Promise.all([
      this.#metrics[Symbol.asyncDispose](),
      this.#provider.shutdown().catch(() => undefined),
    ])
    await Promise.race([sent, pause(systemTimers, longestGoodbye)])
    diag.disable()
  }
}

class Recorded implements Span {
  readonly context: Context
  readonly request_id: string | undefined
  readonly #span: ReturnType<Tracer['startSpan']>

  constructor(span: ReturnType<Tracer['startSpan']>, request_id: string | undefined) {
    this.#span = span
    this.request_id = request_id
    this.context = trace.setSpan(ROOT_CONTEXT, span)
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }

  get ids(): object {
    const { traceId, spanId } = this.#span.spanContext()
    const { request_id } = this
    return { trace_id: traceId, span_id: spanId, ...(request_id !== undefined && { request_id }) }
  }

  isRecording(): boolean {
    return this.#span.isRecording()
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes)
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR })
      this.#span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
    }
    this.#span.end()
  }
}

/** Returns undefined for a header that is not one, which begins a new trace. */
function remoteContext(text: string): Context | undefined {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.exec(text) ?? []
  const found: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(found) ? trace.setSpanContext(ROOT_CONTEXT, found) : undefined
}

/** The packages tell of every failed export, every few seconds while the collector is away. */
function reportTo(log: Logger): void {
  const trouble = new Trouble(log, 'traces or metrics were not delivered')
  const met = (message: string) => trouble.met(new Error(message))
  const ignore = () => undefined
  diag.setLogger({ error: met, warn: met, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
}
