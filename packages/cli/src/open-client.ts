import { type Client, createClient } from '@gatehouse-access/sdk'
import { issueAccessToken } from '@gatehouse-access/server'
import type { Access, Asked } from './access.ts'
import { chooseInstallation } from './choose-installation.ts'
import { chooseOrganization } from './choose-organization.ts'
import type { Option } from './command.ts'
import { findByName } from './find-by-name.ts'
import { type Instance, openMigrated } from './instance.ts'
import { findRemoteAccess } from './login/remote-access.ts'

export const urlOption: Option = {
  type: 'string',
  value: 'URL',
  about: 'Where the service answers. Defaults to its public URL.',
}

/** Milliseconds after which a command that goes on takes another token. They are valid for an hour. */
const longestUse = 3_000_000

/** A client of the API: by a key, by the stored login, or as an application of the machine's own instance. */
export async function openClient(asked: Asked): Promise<Client> {
  return (await openAccess(asked)).client
}

export async function openAccess(asked: Asked): Promise<Access> {
  return (await findRemoteAccess(asked)) ?? openInstanceAccess(asked)
}

async function openInstanceAccess(asked: Asked): Promise<Access> {
  let access = await takeAccess(asked)
  const renew = async (refused?: string) => {
    if (refused === access.token || performance.now() > access.until) access = await takeAccess(asked)
    return access.token
  }
  const base_url = `${asked.text('url') ?? access.public_url}/v2`
  return { client: createClient({ base_url, token: renew }), base_url, token: () => renew() }
}

async function takeAccess({ env, text }: Asked) {
  await using instance = await openMigrated(env)
  const { id } = await chooseOrganization(instance.db, text('organization'))
  const { public_url } = instance.config
  return { token: await tokenFor(instance, id), until: performance.now() + longestUse, public_url }
}

async function tokenFor(instance: Instance, organization_id: string): Promise<string> {
  const { oauth_application_id } = await chooseInstallation(instance, organization_id, undefined)
  return issueAccessToken(instance, { organization_id, oauth_application_id, scopes: ['full_read_write'] })
}

export function findSite(client: Client, wanted: string) {
  return findByName(client.sites, { prefix: 'site_', what: 'site', wanted })
}
