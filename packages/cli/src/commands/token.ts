import { tokenScopes } from '@gatehouse-access/api'
import { createClient } from '@gatehouse-access/sdk'
import { type Installation, issueAccessToken } from '@gatehouse-access/server'
import { chooseInstallation } from '../choose-installation.ts'
import { chooseOrganization } from '../choose-organization.ts'
import { type Command, CommandError, jsonOption, organizationOption } from '../command.ts'
import { openMigrated } from '../instance.ts'

export const token: Command = {
  name: 'token',
  parameters: [],
  about: 'Prints an access token that is valid for one hour.',
  options: {
    organization: organizationOption,
    application: {
      type: 'string',
      value: 'ID',
      about: 'The application that acts. Defaults to the first one that the organization installed.',
    },
    scope: {
      type: 'string',
      value: 'SCOPE',
      about:
        'One or several, with commas: full_read_write, full_read_only, members, members:read, devices, events:read, actions. Defaults to everything the application was granted.',
    },
    check: { type: 'boolean', about: 'Test the token against the service before printing it.' },
    json: jsonOption,
  },
  async run({ env, text, flag, print }) {
    await using instance = await openMigrated(env)
    const { id } = await chooseOrganization(instance.db, text('organization'))
    const installation = await chooseInstallation(instance, id, text('application'))
    const { oauth_application_id } = installation
    const scopes = chooseScopes(installation, text('scope'))
    const access_token = await issueAccessToken(instance, {
      organization_id: id,
      oauth_application_id,
      scopes,
    })
    if (flag('check')) await checkToken(instance.config.public_url, access_token)
    const answer = { access_token, token_type: 'bearer', expires_in: 3600, scope: scopes.join(' ') }
    print(
      flag('json') ? JSON.stringify({ ...answer, organization_id: id, oauth_application_id }) : access_token,
    )
  },
}

/** A token's scopes are limited to those of the installation. */
function chooseScopes({ scopes, oauth_application_id }: Installation, asked: string | undefined): string[] {
  const given = tokenScopes.filter(scope => scopes.includes(scope) || scopes.includes('full_read_write'))
  const all = given.some(scope => scope.startsWith('full_')) ? given.slice(0, 1) : given
  const wanted = asked === undefined ? all : asked.split(/[\s,]+/).filter(Boolean)
  for (const scope of wanted)
    if (!given.some(known => known === scope))
      throw new CommandError(
        `The scope ${JSON.stringify(scope)} is not available: ${oauth_application_id} can have ${given.join(' or ') || 'none'}.`,
      )
  if (wanted.length === 0) throw new CommandError(`The scope is empty: name ${given.join(' or ')}.`)
  return wanted
}

async function checkToken(public_url: string, access_token: string): Promise<void> {
  const base_url = `${public_url}/v2`
  try {
    await createClient({ base_url, token: access_token, retries: 1, timeout: 5000 }).organization.get()
  } catch (cause) {
    throw new CommandError(
      `The service at ${base_url} does not accept the token: ${(cause as Error).message}.`,
      {
        cause,
      },
    )
  }
}
