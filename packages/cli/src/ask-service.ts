import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Config } from '@gatehouse-access/server'

export interface ServiceAnswer {
  readonly status: number
  readonly location: string | undefined
  readonly text: string
}

const patience = 5000

/** Asks the service on this machine, at the address that it listens on. Its certificate is another check's matter. */
export function askService(
  { host, port, public_url, tls }: Config,
  path: string,
  other: { port?: number; is_plain?: boolean } = {},
): Promise<ServiceAnswer> {
  const request = tls && !other.is_plain ? secureRequest : plainRequest
  const { hostname } = new URL(public_url)
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ host: reachable(host), port: other.port ?? port, path, headers: { host: hostname } },
        ...{ servername: hostname, rejectUnauthorized: false, agent: false, timeout: patience },
      },
      async answer => {
        const text = Buffer.concat(await answer.toArray()).toString()
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text })
      },
    )
    asked.on('timeout', () => asked.destroy(new Error('no answer within 5 seconds')))
    asked.on('error', reject).end()
  })
}

function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
}
