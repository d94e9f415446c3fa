import { isIP } from 'node:net'
import { ConfigError } from './config-error.ts'
import { type Environment, read, readOrDefault, type Setting } from './setting.ts'
import { tlsSettings } from './tls-settings.ts'

/** How the service ends TLS itself. */
export type Tls = Readonly<
  (
    | { mode: 'files'; certificate: string; key: string }
    | { mode: 'acme'; name: string; email?: string; directory: string }
  ) & { http_port?: number }
>

/** Returns undefined if a proxy ends TLS. */
export function readTls(
  env: Environment,
  { public_url, port }: { public_url: string; port: number },
): Tls | undefined {
  const mode = readOrDefault(env, tlsSettings.tls)
  if (mode === 'off') return undefined
  if (!public_url.startsWith('https:'))
    throw new ConfigError(
      `GATEHOUSE_PUBLIC_URL is ${public_url}: with GATEHOUSE_TLS=${mode} it must begin with https://.`,
    )
  const wanted = read(env, tlsSettings.http_port) ?? (mode === 'acme' || port === 443 ? 80 : 'off')
  const http = wanted === 'off' ? {} : { http_port: wanted }
  if (wanted === port) throw new ConfigError(`GATEHOUSE_HTTP_PORT is ${port}, which is also PORT: use two.`)
  return mode === 'files' ? { ...readFiles(env), ...http } : { ...readAcme(env, public_url), ...http }
}

function readFiles(env: Environment) {
  return {
    mode: 'files' as const,
    certificate: needed(env, tlsSettings.tls_certificate),
    key: needed(env, tlsSettings.tls_key),
  }
}

function readAcme(env: Environment, public_url: string) {
  const { hostname: name } = new URL(public_url)
  const email = read(env, tlsSettings.acme_email)
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.'))
    throw new ConfigError(
      `GATEHOUSE_PUBLIC_URL is ${public_url}: with GATEHOUSE_TLS=acme it must have a public name, such as https://gatehouse.example.com.`,
    )
  const directory = readOrDefault(env, tlsSettings.acme_directory)
  return { mode: 'acme' as const, name, ...(email && { email }), directory }
}

function needed(env: Environment, setting: Setting<string>): string {
  const value = read(env, setting)
  if (value) return value
  throw new ConfigError(
    `${setting.name} is missing: with GATEHOUSE_TLS=files it must be ${setting.expected}.`,
  )
}
