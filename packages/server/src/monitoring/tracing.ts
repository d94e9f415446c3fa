import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A unit of work in a trace. */
export interface Span {
  /** The W3C trace context, for requests to others. */
  readonly traceparent: string
  set(attributes: Attributes): void
  /** Ends the span, as failed if there is an error. Only its type is recorded: messages may hold values. */
  end(error?: unknown): void
}

export interface SpanOptions {
  readonly name: string
  /** What the span is: it serves a request, sends one, or handles a message. */
  readonly kind: 'server' | 'client' | 'consumer'
  readonly attributes: Attributes
  /** A `traceparent` from outside. By default the span belongs to the current one. */
  readonly parent?: string | undefined
  /** The request that it serves. Lines of the log inside name it, also those of spans below. */
  readonly request_id?: string
}

/** Traces and metrics over OTLP. Exists only where an endpoint is set: without it, nothing is ever asked. */
export interface Tracing extends AsyncDisposable {
  begin(options: SpanOptions): Span
  /** Runs something with the span as the current one. What it awaits is inside, too. */
  inside<T>(span: Span, work: () => T): T
  /** Runs work in a span of its own. */
  trace<T>(options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** Whether there is a current span that has not ended. */
  isInside(): boolean
  /** Identifies the current span and its request, for the log. */
  current(): object
}

export interface TracingOptions {
  readonly endpoint: string
  /** The share of the traces that begin here and are sent. */
  readonly sampled: number
  readonly log: Logger
  readonly metrics: Metrics
}
