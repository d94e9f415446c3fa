import type { Timers } from '../flow/timers.ts'
import { checkLiteral } from './addresses.ts'
import type { Dial } from './dialer.ts'
import { loadClient } from './load-client.ts'
import { nameError } from './name-error.ts'
import type { Targets } from './targets.ts'

export interface Outbound {
  readonly targets: Targets
  readonly dial: () => Promise<Dial>
  readonly timers: Timers
}

export interface FileOptions {
  readonly organization_id: string
  readonly user_agent: string
  /** Bytes. */
  readonly most: number
  /** Milliseconds for all of it. */
  readonly longest: number
}

/** A file that could not be read. `code` says why; addresses and answers stay out of it. */
export class FileError extends Error {
  override name = 'FileError'
  readonly code: ReturnType<typeof nameError> | 'redirected' | 'error_status' | 'too_large'

  constructor(code: FileError['code']) {
    super(`a file could not be read: ${code}`)
    this.code = code
  }
}

/** Reads a file from an address that a customer gave. Redirects are refused: they could lead anywhere. */
export async function fetchFile(outbound: Outbound, url: string, options: FileOptions): Promise<Buffer> {
  const end = new AbortController()
  const stop = outbound.timers.later(options.longest, () =>
    end.abort(new DOMException('late', 'TimeoutError')),
  )
  const late = new Promise<never>((_, reject) =>
    end.signal.addEventListener('abort', () => reject(new FileError('timeout')), { once: true }),
  )
  late.catch(() => undefined)
  try {
    return await Promise.race([read(outbound, new URL(url), options, end.signal), late])
  } catch (error) {
    throw error instanceof FileError ? error : new FileError(nameError(error))
  } finally {
    stop()
    end.abort()
  }
}

async function read(
  { targets, dial }: Outbound,
  url: URL,
  { organization_id, user_agent, most }: FileOptions,
  signal: AbortSignal,
): Promise<Buffer> {
  checkLiteral(targets, url)
  const { Client } = await loadClient()
  const client = new Client(url.origin, { connect: (await dial())(organization_id) })
  try {
    const { statusCode, body } = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: { accept: 'text/calendar', 'accept-encoding': 'identity', 'user-agent': user_agent },
      signal,
    })
    if (statusCode >= 300 && statusCode < 400) throw new FileError('redirected')
    if (statusCode !== 200) throw new FileError('error_status')
    return await collect(body, most)
  } finally {
    client.destroy().catch(() => undefined)
  }
}

async function collect(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most) throw new FileError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
