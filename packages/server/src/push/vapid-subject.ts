import type { Config } from '../config/config.ts'
import { isLoopback } from '../network/loopback.ts'

/** Whom push services can write to about this installation, or why there is nobody. */
export type Subject = { readonly subject: string } | { readonly off_reason: string }

/**
 * Push services want to know whom to ask about a sender: the address that mails come from, or the public URL.
 * Some answer 403 to one that cannot exist, and iPhones then get nothing, so push is off instead.
 */
export function vapidSubject({ mail_from, public_url }: Pick<Config, 'mail_from' | 'public_url'>): Subject {
  const address = /<([^<>]+)>\s*$/.exec(mail_from)?.[1] ?? mail_from.trim()
  if (isReachable(address.slice(address.lastIndexOf('@') + 1))) return { subject: `mailto:${address}` }
  const url = new URL(public_url)
  if (url.protocol === 'https:' && isReachable(url.hostname)) return { subject: url.origin }
  return {
    off_reason: `Push services accept no sender that they could not reach. Mails come from ${address}, and the service is at ${url.origin}. Set GATEHOUSE_MAIL_FROM to an address of a public domain, or GATEHOUSE_PUBLIC_URL to a public https URL.`,
  }
}

const nobodys = /(^|\.)(localhost|local|invalid)$/

function isReachable(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return name !== '' && !isLoopback(name.replace(/^\[|\]$/g, '')) && !nobodys.test(name)
}
