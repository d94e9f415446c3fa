import type { Tracing, TracingOptions } from './tracing.ts'

/** Loads the OpenTelemetry packages only here, since most installations do without them. */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const { OpenTelemetry } = await import('./open-telemetry.ts')
  return new OpenTelemetry(options)
}
