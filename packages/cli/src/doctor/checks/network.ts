import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import { messageOf } from '@gatehouse-access/core'
import { isLoopback } from '@gatehouse-access/server'
import { askService } from '../../ask-service.ts'
import { type Check, failure, skipped, warning, well } from '../check.ts'

export const port: Check = {
  id: 'port',
  async look({ config }) {
    const at = `port ${config.port} of ${config.host}`
    try {
      const { status, text } = await askService(config, '/healthz')
      if (status === 200 && text.includes('"ok"')) return well(`The service answers at ${at}.`)
      return failure(`Something else answers at ${at}: ${status}.`, 'Stop it, or set PORT to another number.')
    } catch (error) {
      return failure(
        `Nothing answers at ${at}: ${messageOf(error)}.`,
        'Start the service, or see gatehouse service status and the journal: journalctl -u gatehouse.',
      )
    }
  },
}

export const plainPort: Check = {
  id: 'plain_port',
  async look({ config }) {
    const http_port = config.tls?.http_port
    if (http_port === undefined) return skipped('The service does not answer plain HTTP beside TLS.')
    const found = await askService(config, '/', { port: http_port, is_plain: true }).catch(messageOf)
    if (typeof found !== 'string' && found.status === 308)
      return well(`Port ${http_port} sends everyone to https.`)
    const what = typeof found === 'string' ? found : `it answers ${found.status}`
    return failure(
      `Port ${http_port} does not send to https: ${what}.`,
      'Stop what listens there, or set GATEHOUSE_HTTP_PORT.',
    )
  },
}

export const publicAddress: Check = {
  id: 'public_address',
  async look({ config: { public_url } }) {
    const { hostname } = new URL(public_url)
    if (isLoopback(hostname)) return skipped(`Only this machine uses ${public_url}.`)
    const addresses = await lookup(hostname, { all: true }).catch(() => undefined)
    if (!addresses)
      return failure(
        `The name ${hostname} does not resolve.`,
        'Create a DNS record for it, or wait until it is known.',
      )
    const found = await fetch(`${public_url}/healthz`, { signal: AbortSignal.timeout(5000) }).catch(causeOf)
    if (found instanceof Response && found.ok) return well(`${public_url} leads to the service.`)
    const what = found instanceof Response ? `it answers ${found.status}` : found
    return warning(
      `${public_url} does not lead to the service from here: ${what}.`,
      `Check that ${addresses.map(({ address }) => address).join(', ')} is this machine or its proxy, and that a firewall lets it in.`,
    )
  },
}

function causeOf(error: Error): string {
  return messageOf(error.cause ?? error)
}

const day = 86_400_000

export const certificate: Check = {
  id: 'certificate',
  async look({ config }) {
    const { public_url, tls } = config
    if (!public_url.startsWith('https:')) return skipped('The public URL does not use https.')
    const advice =
      tls?.mode === 'acme'
        ? 'The log says why it was not renewed; docs/tls.md explains how to mend it.'
        : 'Put a new certificate in place.'
    const { hostname, port: given } = new URL(public_url)
    const host = tls ? local(config.host) : hostname
    const found = await readCertificate(host, tls ? config.port : Number(given || 443), hostname).catch(
      messageOf,
    )
    if (typeof found === 'string')
      return failure(`No certificate is shown for ${hostname}: ${found}.`, advice)
    const days = Math.floor((found.ends_at - Date.now()) / day)
    if (found.fault)
      return failure(
        `The certificate of ${hostname} is not trusted: ${found.fault}.`,
        'Use one that clients trust, from an authority that they know, for this name and with its whole chain.',
      )
    if (days < 14) return warning(`The certificate of ${hostname} ends in ${days} days.`, advice)
    return well(`The certificate of ${hostname} is valid for ${days} days.`)
  },
}

function local(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
}

function readCertificate(
  host: string,
  at: number,
  servername: string,
): Promise<{ ends_at: number; fault: string | undefined }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: at, servername, rejectUnauthorized: false, timeout: 5000 }, () => {
      const fault = socket.authorized ? undefined : messageOf(socket.authorizationError)
      resolve({ ends_at: Date.parse(socket.getPeerCertificate().valid_to), fault })
      socket.destroy()
    })
    socket.on('timeout', () => socket.destroy(new Error('no answer within 5 seconds')))
    socket.on('error', reject)
  })
}

export const proxyHeaders: Check = {
  id: 'proxy_headers',
  async look({ config: { public_url, tls, trusted_proxies } }) {
    if (tls || !public_url.startsWith('https:')) return skipped('No proxy ends TLS for the service.')
    if (trusted_proxies.length > 0)
      return well(`Proxies at ${trusted_proxies.join(', ')} name their callers.`)
    return warning(
      "A proxy ends TLS, and none is trusted: every caller has the proxy's address, for limits, lock-outs and events.",
      'Set GATEHOUSE_TRUSTED_PROXIES to its address, and let it set X-Forwarded-For.',
    )
  },
}
