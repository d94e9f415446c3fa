import { createClient } from '@gatehouse-access/sdk'
import type { Access, Asked } from '../access.ts'
import { CommandError } from '../command.ts'
import { readPlainConfig } from '../instance.ts'
import { describeRefusal, isRefused, refreshTokens } from './ask-oauth.ts'
import { holdingLogin, readLogin, type StoredLogin, writeLogin } from './stored-login.ts'

/**
 * Returns access by the key in `GATEHOUSE_API_KEY` or by the stored login. Without them, or if the environment names
 * an instance and there is no key, commands act on the machine's own instance.
 */
export async function findRemoteAccess(asked: Asked): Promise<Access | undefined> {
  const { env } = asked
  const key = env.GATEHOUSE_API_KEY
  if (key)
    return checked(
      asked,
      accessTo(addressOf(asked), () => Promise.resolve(key)),
    )
  if (env.DATABASE_URL || env.GATEHOUSE_DATA_DIR) return undefined
  const login = readLogin(env)
  if (!login) return undefined
  checkAddress(asked, login)
  return checked(
    asked,
    accessTo(login.url, refused => freshToken(env, refused)),
  )
}

function addressOf({ env, text }: Asked): string {
  const given = text('url') ?? env.GATEHOUSE_URL ?? readLogin(env)?.url ?? readPlainConfig(env).public_url
  return given.replace(/\/+$/, '')
}

function accessTo(url: string, token: (refused?: string) => Promise<string>): Access {
  const base_url = `${url}/v2`
  return { client: createClient({ base_url, token }), base_url, token: () => token() }
}

/** A login is never sent to another service. */
function checkAddress({ text }: Asked, { url }: StoredLogin): void {
  const wanted = text('url')?.replace(/\/+$/, '')
  if (wanted !== undefined && wanted !== url)
    throw new CommandError(`You are logged in to ${url}, not to ${wanted}: run gatehouse login ${wanted}.`)
}

/** A key or login is for one organization. */
async function checked(asked: Asked, access: Access): Promise<Access> {
  const wanted = asked.text('organization')
  if (wanted === undefined) return access
  const { id, name } = await access.client.organization.get()
  if (id === wanted) return access
  throw new CommandError(`Your access is to ${name} (${id}), not to ${wanted}: log in to that organization.`)
}

const margin = 60_000

async function freshToken(env: NodeJS.ProcessEnv, refused: string | undefined): Promise<string> {
  const usable = () => {
    const login = readLogin(env)
    if (!login) throw new CommandError('You are not logged in any more: run gatehouse login.')
    const is_good = login.access_token !== refused && Date.parse(login.expires_at) - margin > Date.now()
    return { login, token: is_good ? login.access_token : undefined }
  }
  return usable().token ?? (await holdingLogin(env, async () => usable().token ?? renew(env, usable().login)))
}

async function renew(env: NodeJS.ProcessEnv, login: StoredLogin): Promise<string> {
  const answer = await refreshTokens(login.url, login.refresh_token)
  if (isRefused(answer))
    throw new CommandError(
      `The login at ${login.url} has ended (${describeRefusal(answer)}): run gatehouse login.`,
    )
  const { access_token, refresh_token, expires_in, scope } = answer
  writeLogin(env, { ...login, access_token, refresh_token, scope, expires_at: expiryOf(expires_in) })
  return access_token
}

export function expiryOf(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString()
}
