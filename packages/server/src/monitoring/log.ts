import {
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  pino,
  type SerializedError,
  stdSerializers,
} from 'pino'
import type { AbsenceLog } from './absence-log.ts'
import type { LogMask } from './log-mask.ts'
import { RefusalLog } from './refusal-log.ts'

/** Fields in which database errors repeat values of a statement: a failing row, a taken key, a parameter. */
const repeated = ['detail', 'where', 'hint', 'query', 'internal_query', 'parameters', 'args'] as const

/**
 * `mixin` returns what every line says in addition, such as the current trace. Failures only because the database is unreachable or refuses everyone are
 * counted, not logged. `mask` hides email and IP addresses.
 */
export function openLog(
  level: string,
  destination?: DestinationStream,
  absence?: AbsenceLog,
  mixin?: () => object,
  mask?: Pick<LogMask, 'mask'>,
): Logger {
  const serializers = { err: showError, error: showError }
  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, method) {
      if (!absence?.counts(args[0]) && !refusals.counts(args[0])) method.apply(this, args)
    },
    ...(mask && { streamWrite: line => mask.mask(line) }),
  }
  const log = pino({ level, serializers, hooks, ...(mixin && { mixin }) }, destination)
  const refusals = new RefusalLog(log)
  absence?.writeTo(log)
  return log
}

/** Serializes an error: what failed and where in the code, but no values. */
function showError(error: Error): SerializedError {
  const shown = stdSerializers.err(error)
  return error instanceof Error ? withoutValues(shown) : shown
}

function withoutValues(shown: SerializedError): SerializedError {
  for (const name of repeated) if (name in shown) delete shown[name]
  for (const inner of Object.values(shown).flat())
    if (inner?.raw instanceof Error) withoutValues(inner as SerializedError)
  return shown
}
