import { type Client, createClient } from '@gatehouse-access/sdk'
import { issueAccessToken } from '@gatehouse-access/server'
import { chooseInstallation } from './choose-installation.ts'
import { chooseOrganization } from './choose-organization.ts'
import type { Option } from './command.ts'
import { findByName } from './find-by-name.ts'
import { type Instance, openMigrated } from './instance.ts'

export const urlOption: Option = {
  type: 'string',
  value: 'URL',
  about: 'Where the service answers. Defaults to its public URL.',
}

interface Asked {
  readonly env: NodeJS.ProcessEnv
  text(option: string): string | undefined
}

/** A client of the API that acts as an application of the organization. Its token is valid for an hour. */
export async function openClient({ env, text }: Asked): Promise<Client> {
  await using instance = await openMigrated(env)
  const { id } = await chooseOrganization(instance.db, text('organization'))
  const token = await tokenFor(instance, id)
  return createClient({ base_url: `${text('url') ?? instance.config.public_url}/v2`, token })
}

async function tokenFor(instance: Instance, organization_id: string): Promise<string> {
  const { oauth_application_id } = await chooseInstallation(instance, organization_id, undefined)
  return issueAccessToken(instance, { organization_id, oauth_application_id, scopes: ['full_read_write'] })
}

export function findSite(client: Client, wanted: string) {
  return findByName(client.sites, { prefix: 'site_', what: 'site', wanted })
}
