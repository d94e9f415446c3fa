import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { within } from '../../network/networks.ts'

/**
 * Returns a predicate for callers that may read metrics and readiness details. Through a proxy that is not
 * trusted, every caller has the proxy's address, which is loopback on this machine. Requests that such a
 * proxy forwards are therefore refused.
 */
export function monitorsOf({
  monitoring_networks,
  trusted_proxies,
}: Config): (request: FastifyRequest) => boolean {
  const isNear = within(['127.0.0.0/8', '::1', ...monitoring_networks])
  const isProxy = within(trusted_proxies)
  return ({ ip, headers, socket }) => {
    const isForwarded = ['x-forwarded-for', 'forwarded', 'via'].some(name => headers[name] !== undefined)
    return isNear(ip) && (!isForwarded || isProxy(socket.remoteAddress ?? ''))
  }
}
