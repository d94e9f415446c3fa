import { parseArgs } from 'node:util'
import { messageOf } from '@gatehouse-access/core'
import { type FileConfig, readConfigFile, readSecret } from './config.ts'
import { ConfigProblem } from './config-problem.ts'

export interface Options extends FileConfig {
  readonly url: string
  readonly hardware_id: string
  readonly secret: string
  readonly data: string
}

export const usage = `Usage: gatehouse-edge --url URL --hardware-id HW_ID [options]

Connects the doors of this building to Gatehouse and makes decisions locally, even without the network.

  --url URL            Address of the service, such as https://gatehouse.example
  --hardware-id ID     Hardware ID of the device, such as hw_A1B2-C3D4
  --secret SECRET      Its connection secret. Prefer --secret-file or GATEHOUSE_EDGE_SECRET,
                       which are not visible in the process list
  --secret-file FILE   Reads the secret from a file
  --data FOLDER        Where policy and journal are kept (default: ./gatehouse-edge-data)
  --config FILE        Hardware on an MQTT broker, and devices behind this one (docs/edge.md);
                       without it, the doors are simulated
  --help               Show this help
`

/**
 * Reads the command line, the environment and the files. Throws `ConfigProblem` when an option is missing or
 * invalid.
 */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const values = parse(args)
  if (values.help) return 'help'
  const url = needed(values.url ?? env.GATEHOUSE_EDGE_URL, '--url')
  if (!/^(https?|wss?):$/.test(URL.parse(url)?.protocol ?? ''))
    throw new ConfigProblem(`--url must be an address that starts with https:// or http://, not '${url}'.`)
  const hardware_id = needed(values['hardware-id'] ?? env.GATEHOUSE_EDGE_HARDWARE_ID, '--hardware-id')
  if (!/^hw_[A-Za-z0-9-]{4,64}$/.test(hardware_id))
    throw new ConfigProblem(
      `--hardware-id must be hw_ followed by 4 to 64 letters, digits or -, not '${hardware_id}'.`,
    )
  return {
    url,
    hardware_id,
    secret: secretOf(values, env),
    data: values.data ?? 'gatehouse-edge-data',
    ...(values.config === undefined ? { devices: [] } : readConfigFile(values.config)),
  }
}

function parse(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    return parseArgs({
      args: [...args],
      options: {
        url: text,
        'hardware-id': text,
        secret: text,
        'secret-file': text,
        data: text,
        config: text,
        help: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    throw new ConfigProblem(`${messageOf(error).split('. ')[0]}; see --help.`)
  }
}

function secretOf(values: { secret?: string; 'secret-file'?: string }, env: NodeJS.ProcessEnv): string {
  if (values.secret) return values.secret
  if (values['secret-file']) return readSecret(values['secret-file'])
  if (env.GATEHOUSE_EDGE_SECRET) return env.GATEHOUSE_EDGE_SECRET
  throw new ConfigProblem('The secret is missing: give --secret-file, GATEHOUSE_EDGE_SECRET or --secret.')
}

function needed(value: string | undefined, name: string): string {
  if (value) return value
  throw new ConfigProblem(`${name} is missing; see --help.`)
}
