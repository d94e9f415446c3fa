import { command_name } from '../config/place.ts'
import type { DemoAccess } from '../demo/access.ts'

/** The message of `npm start`: URLs, what is missing for backups, how to sign in, and a command to paste. */
export function startMessage(
  publicUrl: string,
  demo: DemoAccess | undefined,
  missing: string | undefined,
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
      ...(demo.guest_link ? [`  Guest page   ${demo.guest_link}`] : []),
      '',
      '  Try it:',
      '',
      `  curl -H 'Authorization: Bearer ${demo.token}' '${publicUrl}/v2/members?limit=3&expand=group_associations.member_group'`,
    )
  return `${lines.join('\n')}\n\n  Stop with Ctrl-C.\n`
}
