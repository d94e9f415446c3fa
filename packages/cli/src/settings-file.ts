import { readFileSync } from 'node:fs'

export const settingsPath = '/etc/gatehouse/gatehouse.env'

/**
 * Adds what the settings file of a set-up machine says, as systemd does for the service, so that commands meet the
 * same instance. What the environment sets wins; naming an instance there leaves the file aside.
 */
export function withSettingsFile(env: NodeJS.ProcessEnv, path = settingsPath): NodeJS.ProcessEnv {
  if (env.DATABASE_URL || env.GATEHOUSE_DATA_DIR) return env
  return { ...readSettings(path), ...env }
}

/** Returns no settings if the file is missing or not readable for this user. */
export function readSettings(path: string): Record<string, string> {
  try {
    return parseSettings(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

/** Parses the format of systemd's EnvironmentFile. */
export function parseSettings(text: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name) settings[name] = unquote(value)
  }
  return settings
}

export function formatSettings(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quote(value)}`)
  return `${lines.join('\n')}\n`
}

function unquote(value: string): string {
  const [, mark, inner = ''] = /^(["'])(.*)\1$/.exec(value) ?? []
  if (mark === undefined) return value
  return mark === '"' ? inner.replace(/\\(.)/g, '$1') : inner
}

function quote(value: string): string {
  return /^[\w@%+=:,./[\]-]*$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`
}
