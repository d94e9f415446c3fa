import { commandApplicationId, deviceGrantType } from '@gatehouse-access/server'
import about from '../../package.json' with { type: 'json' }
import { CommandError } from '../command.ts'

export interface DeviceAuthorization {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

export interface Refused {
  readonly error: string
  readonly error_description?: string
}

type Endpoint = 'device_authorization' | 'token' | 'revoke' | 'introspect'

/** Asks the authorization server of a service as the command, which has no secret. */
export async function askOauth<Answer extends object>(
  url: string,
  endpoint: Endpoint,
  fields: Readonly<Record<string, string>>,
): Promise<Answer | Refused> {
  const response = await fetch(`${url}/oauth2/${endpoint}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: commandApplicationId, ...fields }),
    headers: { 'user-agent': `gatehouse/${about.version}` },
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  }).catch(cause => {
    throw new CommandError(`${url} cannot be reached: ${reasonOf(cause)}.`, { cause })
  })
  const text = await response.text()
  if (text === '' && response.ok) return {} as Answer
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CommandError(
      `${url} is no Gatehouse service, or an old one: it answered with ${response.status}.`,
      {
        cause,
      },
    )
  }
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}

export function isRefused(answer: object): answer is Refused {
  return 'error' in answer
}

export function describeRefusal({ error, error_description }: Refused): string {
  return error_description ?? error
}

export function askForCode(url: string, scope: string) {
  return askOauth<DeviceAuthorization>(url, 'device_authorization', { scope })
}

export function askForTokens(url: string, device_code: string) {
  return askOauth<Tokens>(url, 'token', { grant_type: deviceGrantType, device_code })
}

export function refreshTokens(url: string, refresh_token: string) {
  return askOauth<Tokens>(url, 'token', { grant_type: 'refresh_token', refresh_token })
}
