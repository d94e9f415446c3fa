import type { ObjectOf, Resources, settleImport } from '@gatehouse-access/api'
import { ApiError } from './api-error.ts'
import { encodeQuery } from './list-query.ts'
import { delayBefore, mayRepeat, pause } from './retry.ts'
import { exchange, headersFor, parse, randomKey, type SenderOptions } from './send.ts'

/** A file as a whole, which a retry can send again, or a stream, which is sent once. */
export type ImportFile = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array<ArrayBuffer>>

export type ImportWish = Parameters<typeof settleImport>[0] & {
  /** Defaults to CSV. */
  readonly format?: 'csv' | 'ndjson'
  readonly signal?: AbortSignal
  readonly idempotency_key?: string
}

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
/** Milliseconds. A file takes longer than a request. */
const longestUpload = 600_000

/** Sends a file to import, and returns its job. */
export async function createImport(
  options: SenderOptions,
  file: ImportFile,
  { format = 'csv', signal, idempotency_key = randomKey(), ...settings }: ImportWish = {},
): Promise<ObjectOf<Resources['job']>> {
  const isStream = file instanceof ReadableStream
  const { retries = 4 } = options
  const call = { method: 'POST', path: '/imports', idempotency_key, signal, query: {} } as const
  for (let attempt = 0; ; attempt++)
    try {
      const headers = await headersFor(options, call)
      const sent = isStream ? streamed(file, format, settings) : formed(file, format, settings)
      const { response, text } = await exchange(
        { ...options, timeout: longestUpload },
        { ...call, query: sent.query },
        {
          method: 'POST',
          headers: { ...headers, ...sent.headers },
          ...sent.init,
        },
      )
      const answer = parse(text)
      if (response.ok && answer !== undefined) return answer as ObjectOf<Resources['job']>
      throw new ApiError(response, answer as ConstructorParameters<typeof ApiError>[1])
    } catch (error) {
      if (isStream || attempt >= retries || !mayRepeat(call, error)) throw error
      await pause(delayBefore(attempt, error), signal)
    }
}

interface Sent {
  readonly query: Record<string, unknown>
  readonly headers: Record<string, string>
  readonly init: RequestInit & { duplex?: 'half' }
}

/** Settings in the query: a form cannot be streamed. */
function streamed(file: ReadableStream, format: 'csv' | 'ndjson', settings: object): Sent {
  const query = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : value,
  ])
  const init = { body: file, duplex: 'half' as const }
  return { query: Object.fromEntries(query), headers: { 'content-type': mediaTypes[format] }, init }
}

function formed(file: Exclude<ImportFile, ReadableStream>, format: 'csv' | 'ndjson', settings: object): Sent {
  const body = new FormData()
  body.set('settings', JSON.stringify(settings))
  body.set('file', new Blob([file], { type: mediaTypes[format] }), `import.${format}`)
  return { query: {}, headers: {}, init: { body } }
}

/** Fetches a file of a job. One with secrets can be fetched once, unless `again`. */
export async function fetchJobFile(
  options: SenderOptions,
  id: string,
  name: string,
  { again, signal }: { readonly again?: boolean; readonly signal?: AbortSignal } = {},
): Promise<Blob> {
  const path = `/jobs/${encodeURIComponent(id)}/files/${encodeURIComponent(name)}`
  const call = { method: 'GET', path, signal, query: {} } as const
  const url = options.base_url.replace(/\/+$/, '') + path + encodeQuery(again ? { again } : {})
  const headers = await headersFor(options, call)
  const response = await (options.fetch ?? fetch)(url, { headers, signal: signal ?? null })
  if (response.ok) return response.blob()
  throw new ApiError(response, parse(await response.text()) as ConstructorParameters<typeof ApiError>[1])
}
