import { type DestinationStream, type Logger, pino, type SerializedError, stdSerializers } from 'pino'

/** Where errors of the database repeat what a statement was given: a failing row, a taken key, a parameter. */
const repeated = ['detail', 'where', 'hint', 'query', 'internal_query', 'parameters', 'args'] as const

export function openLog(level: string, destination?: DestinationStream): Logger {
  return pino({ level, serializers: { err: showError, error: showError } }, destination)
}

/** An error as the log shows it: what went wrong and where in our code, never with which values. */
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
