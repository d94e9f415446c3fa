import { invalid, RequestError } from '@gatehouse-access/api'
import type { FastifyRequest } from 'fastify'

export const longestUrl = 8192

/** Returns what is wrong with the URL or Host header, or undefined. Runs before anything else. */
export function findMalformation({ url, raw }: FastifyRequest): RequestError | undefined {
  if (url.length > longestUrl)
    return new RequestError('uri_too_long', `the request line is longer than ${longestUrl} characters`)
  if (!isDecodable(url)) return new RequestError('invalid_request', 'the URL is not properly percent-encoded')
  const hosts = countHosts(raw.rawHeaders)
  if (hosts > 1) return invalid('Host', 'the request has more than one Host header')
  return hosts === 0 && raw.httpVersion === '1.1'
    ? invalid('Host', 'the request has no Host header')
    : undefined
}

/** The query parser keeps broken escapes, so a search would use text that the caller did not mean. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (isHost(rawHeaders[index] ?? '')) hosts++
  return hosts
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}
