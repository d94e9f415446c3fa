import { createClient } from '@gatehouse-access/sdk'
import { type Command, CommandError, type Input, UsageError } from '../command.ts'
import { readPlainConfig } from '../instance.ts'
import { askForCode, describeRefusal, isRefused } from '../login/ask-oauth.ts'
import { expiryOf } from '../login/remote-access.ts'
import { writeLogin } from '../login/stored-login.ts'
import { waitForUser } from '../login/wait-for-user.ts'

export const login: Command = {
  name: 'login',
  parameters: ['[URL]'],
  about: 'Logs this terminal in to a service, so that later commands act there for you.',
  details: [
    'Prints an address and a code. Open the address in any browser, sign in, check the code and allow it.',
    'URL defaults to GATEHOUSE_URL, or to the public URL of the instance on this machine. The login is kept in',
    '~/.config/gatehouse/login.json (or below XDG_CONFIG_HOME), readable only by you, until gatehouse logout or until',
    'it is revoked in the console. Scripts can set GATEHOUSE_API_KEY instead.',
  ].join('\n'),
  options: {
    'read-only': { type: 'boolean', about: 'Ask for access that changes nothing.' },
  },
  run: input => logIn(input),
}

type LoginInput = Pick<Input, 'env' | 'parameters' | 'flag' | 'print'>

/** Tests decide what waiting means. */
export async function logIn(
  { env, parameters, flag, print }: LoginInput,
  wait?: Parameters<typeof waitForUser>[2],
): Promise<void> {
  const url = readUrl(parameters[0] ?? env.GATEHOUSE_URL ?? readPlainConfig(env).public_url)
  const asked = await askForCode(url, `${flag('read-only') ? 'full_read_only' : 'full_read_write'} offline`)
  if (isRefused(asked)) throw new CommandError(`${url} refused the login: ${describeRefusal(asked)}.`)
  print(`Open ${asked.verification_uri_complete}`)
  print(`and check that it shows the code ${asked.user_code}. Waiting …`)
  const { access_token, refresh_token, scope, expires_in } = await waitForUser(url, asked, wait)
  const { id, name } = await createClient({ base_url: `${url}/v2`, token: access_token }).organization.get()
  const expires_at = expiryOf(expires_in)
  writeLogin(env, { url, organization: { id, name }, scope, access_token, refresh_token, expires_at })
  print(`You are logged in to ${name} at ${url}.`)
}

function readUrl(given: string): string {
  const text = /^https?:\/\//.test(given) ? given : `https://${given}`
  const url = URL.parse(text)
  if (url?.pathname !== '/' || url.search !== '' || url.username !== '')
    throw new UsageError(
      `URL must be the address of a service, like https://doors.example.com, not ${given}.`,
    )
  return url.origin
}
