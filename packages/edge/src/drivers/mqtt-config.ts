import type { Parser } from '../parser.ts'

/** Selects the messages of a topic whose payload, or a value in its JSON, equals this value. */
export interface Match {
  readonly topic: string
  /** A dotted path into a JSON payload. When omitted, the whole payload is the value. */
  readonly path?: string
  readonly equals?: string
}

interface MqttAction {
  readonly topic: string
  readonly payload: string
  /** The hardware's confirmation. When omitted, the action counts as done once its message is sent. */
  readonly confirm?: Match
}

export interface MqttGadget {
  readonly actions: ReadonlyMap<string, MqttAction>
  readonly states: readonly (Match & { readonly id: string })[]
  readonly signals: readonly (Match & { readonly id: string })[]
}

/** A keypad or reader. Its messages carry keys, a UID or a pass. */
interface MqttInput extends Match {
  readonly type: 'keys' | 'card' | 'bluetooth' | 'mobile_nfc'
  /** The device that it belongs to; null for the controller itself. */
  readonly hardware_id: string | null
}

export interface MqttConfig {
  readonly url: string
  readonly username?: string
  readonly password_file?: string
  readonly gadgets: ReadonlyMap<string, MqttGadget>
  readonly inputs: readonly MqttInput[]
}

export function parseMqttConfig(config: Parser): MqttConfig {
  const parsed = {
    url: config.text('url'),
    ...optional('username', config),
    ...optional('password_file', config),
    gadgets: new Map(config.entries('gadgets').map(([id, gadget]) => [id, parseGadget(gadget)])),
    inputs: config.list('inputs').map(parseInput),
  }
  config.end()
  return parsed
}

function optional<Name extends string>(name: Name, config: Parser): { [Key in Name]?: string } {
  const value = config.optionalText(name)
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: string }
}

function parseGadget(gadget: Parser): MqttGadget {
  const reports = (name: string) =>
    gadget.list(name).map(report => {
      const parsed = { id: report.text('id'), ...matchOf(report) }
      report.end()
      return parsed
    })
  const parsed = {
    actions: new Map(gadget.entries('actions').map(([id, action]) => [id, parseAction(action)])),
    states: reports('states'),
    signals: reports('signals'),
  }
  gadget.end()
  return parsed
}

function parseAction(action: Parser): MqttAction {
  const confirm = action.has('confirm') ? action.object('confirm') : undefined
  const parsed = {
    topic: action.text('topic'),
    payload: action.scalar('payload'),
    ...(confirm && { confirm: matchOf(confirm) }),
  }
  confirm?.end()
  action.end()
  return parsed
}

function parseInput(input: Parser): MqttInput {
  const parsed = {
    type: input.choice('type', 'keys', 'card', 'bluetooth', 'mobile_nfc'),
    hardware_id: input.optionalText('hardware_id') ?? null,
    ...matchOf(input),
  }
  input.end()
  return parsed
}

function matchOf(match: Parser): Match {
  return {
    topic: match.text('topic'),
    ...optional('path', match),
    ...(match.has('equals') && { equals: match.scalar('equals') }),
  }
}

/** Returns the value that a match reads from a message; undefined when the message does not match. */
export function valueFor(match: Match, topic: string, payload: string): string | undefined {
  if (topic !== match.topic) return undefined
  const value = match.path === undefined ? payload : valueAt(match.path, payload)
  if (value === undefined || (match.equals !== undefined && value !== match.equals)) return undefined
  return value
}

function valueAt(path: string, payload: string): string | undefined {
  try {
    let value: unknown = JSON.parse(payload)
    for (const name of path.split('.')) value = (value as Record<string, unknown> | null)?.[name]
    return value === undefined || value === null || typeof value === 'object' ? undefined : String(value)
  } catch {
    return undefined
  }
}
