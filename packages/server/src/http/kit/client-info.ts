import type { ClientInfo } from '@gatehouse-access/api'

type Match = readonly [name: string, pattern: RegExp]

const systems: readonly Match[] = [
  ['iOS', /(?:iPhone|iPad|iPod).*? OS ([\d_]+)/],
  ['Android', /Android ([\d.]+)/],
  ['Windows', /Windows NT ([\d.]+)/],
  ['macOS', /Mac OS X ([\d_.]+)/],
  ['ChromeOS', /CrOS \S+ ([\d.]+)/],
  ['Linux', /Linux()/],
]
// The order matters: most browsers also claim to be Chrome and Safari.
const browsers: readonly Match[] = [
  ['Edge', /Edg(?:A|iOS)?\/([\d.]+)/],
  ['Opera', /OPR\/([\d.]+)/],
  ['Samsung Internet', /SamsungBrowser\/([\d.]+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /(?:Chrome|CriOS)\/([\d.]+)/],
  ['Safari', /Version\/([\d.]+).*Safari\//],
]
const unknown: ClientInfo = {
  device_type: null,
  user_agent: null,
  os: null,
  os_version: null,
  device_manufacturer: null,
  device_model: null,
  app_package_name: null,
  app_name: null,
  app_version: null,
  app_version_code: null,
  browser: null,
  browser_version: null,
  sdk_version: null,
  sdk_commit: null,
}
const known = new Map<string, ClientInfo>()

/** Parses a User-Agent. Results are cached, since a few User-Agents send most requests. */
export function readClientInfo(userAgent: string | undefined): ClientInfo | null {
  if (!userAgent) return null
  const held = known.get(userAgent)
  if (held) return held
  const info = parse(userAgent.slice(0, 500).toWellFormed().replaceAll('\0', ''))
  if (known.size >= 500) known.clear()
  known.set(userAgent, info)
  return info
}

function parse(agent: string): ClientInfo {
  const [os, osVersion] = find(systems, agent)
  const [browser, browserVersion] = find(browsers, agent)
  const product = /^([\w.-]+)\/([\w.+-]+)/.exec(agent)
  const isBrowser = product?.[1] === 'Mozilla'
  const sdk = /gatehouse-sdk\/([\w.+-]+)/.exec(agent)
  return {
    ...unknown,
    user_agent: agent,
    device_type: deviceType(agent, isBrowser),
    os,
    os_version: osVersion?.replaceAll('_', '.') ?? null,
    device_manufacturer: /iPhone|iPad|Macintosh/.test(agent) ? 'Apple' : null,
    device_model: /iPhone|iPad/.exec(agent)?.[0] ?? /Android [\d.]+; ([^;)]+)/.exec(agent)?.[1] ?? null,
    app_name: isBrowser ? null : (product?.[1] ?? null),
    app_version: isBrowser ? null : (product?.[2] ?? null),
    browser,
    browser_version: browserVersion,
    sdk_version: sdk?.[1] ?? null,
  }
}

function deviceType(agent: string, isBrowser: boolean): string | null {
  if (/iPad|Tablet/.test(agent)) return 'tablet'
  if (/Mobi|iPhone/.test(agent)) return 'phone'
  return isBrowser ? 'desktop' : null
}

function find(table: readonly Match[], agent: string): [string | null, string | null] {
  for (const [name, pattern] of table) {
    const match = pattern.exec(agent)
    if (match) return [name, match[1] || null]
  }
  return [null, null]
}
