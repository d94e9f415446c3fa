import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { renderUnicodeCompact } from 'uqr'
import { command_name } from '../config/place.ts'
import type { DemoAccess } from '../demo/access.ts'
import { isLoopback } from '../network/loopback.ts'

/** The message of `npm start`: URLs, what is missing for backups, how to sign in, and a command to paste. */
export function startMessage(
  publicUrl: string,
  demo: DemoAccess | undefined,
  missing: string | undefined,
  host = 'localhost',
): string {
  const lines = [
    '',
    '  Gatehouse is running.',
    '',
    `  Console      ${publicUrl}/`,
    `  API          ${publicUrl}/v2`,
    `  Sign in      ${publicUrl}/sign-in`,
    `  Reference    ${publicUrl}/docs`,
    `  Health       ${publicUrl}/healthz   ${publicUrl}/metrics`,
    ...(missing ? [`  Backups      ${missing}`] : []),
  ]
  if (demo)
    lines.push(
      '',
      `  Demo sign-in ${demo.email}   password ${demo.password}`,
      `  Demo token   ${demo.token}   (read and write, 1 hour; ${command_name} token creates another)`,
      ...(demo.guest_link ? describeGuestPage(demo.guest_link, host) : []),
      '',
      '  Try it:',
      '',
      `  curl -H 'Authorization: Bearer ${demo.token}' '${publicUrl}/v2/members?limit=3&expand=group_associations.member_group'`,
    )
  return `${lines.join('\n')}\n\n  Stop with Ctrl-C.\n`
}

/** Phones reach this machine by its address, if the service listens there: then also as a code to scan. */
function describeGuestPage(link: string, host: string): string[] {
  const url = new URL(link)
  const address = ['0.0.0.0', '::'].includes(host) ? findAddress() : undefined
  if (address && url.hostname === 'localhost') url.hostname = address
  const isLocal = isLoopback(url.hostname)
  const code = isLocal ? [] : ['', ...renderUnicodeCompact(url.href, { ecc: 'L' }).split('\n'), '']
  return [`  Guest page   ${url.href}`, ...code.map(line => `  ${line}`.trimEnd())]
}

type Interfaces = NodeJS.Dict<readonly Pick<NetworkInterfaceInfo, 'family' | 'internal' | 'address'>[]>

/** Returns an address of this machine in its network. */
export function findAddress(interfaces: Interfaces = networkInterfaces()): string | undefined {
  const all = Object.values(interfaces).flatMap(found => found ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
}
