import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { within } from '../../network/networks.ts'

/**
 * Whether a caller may look inside. A proxy that was not named makes every caller look like itself, on this machine like
 * loopback, so what it passes on does not count.
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
