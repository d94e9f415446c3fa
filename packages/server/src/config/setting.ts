import { ConfigError } from './config-error.ts'

export type Environment = Record<string, string | undefined>

/** An environment variable. `parse` returns undefined if the text is not what `expected` describes. */
export type Setting<Value> = {
  name: string
  /** The literal text, or prose in parentheses if the default is derived from other settings. */
  default: string
  meaning: string
  expected: string
  parse: (text: string) => Value | undefined
  /** Keeps the value out of messages. */
  is_secret?: true
}

export function read<Value>(env: Environment, setting: Setting<Value>): Value | undefined {
  // An empty variable counts as absent, because compose and unit files set variables that way.
  const text = env[setting.name]?.trim()
  return text ? parse(text, setting) : undefined
}

export function readOrDefault<Value>(env: Environment, setting: Setting<Value>): Value {
  return read(env, setting) ?? parse(setting.default, setting)
}

function parse<Value>(text: string, setting: Setting<Value>): Value {
  const value = setting.parse(text)
  if (value !== undefined) return value
  const found = setting.is_secret ? 'has a wrong value' : `is ${JSON.stringify(text)}`
  throw new ConfigError(`${setting.name} ${found}: it must be ${setting.expected}.`)
}

export function parseWhole(text: string, maximum: number, minimum = 0): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= minimum && value <= maximum ? value : undefined
}

export function parseAddress(text: string): string | undefined {
  return /^[^\s@,]+@[^\s@,]+$/.test(text) ? text : undefined
}
