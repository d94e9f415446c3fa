import { type Command, jsonOption } from '../command.ts'
import { type Entry, examine, worstOf } from '../doctor/examine.ts'
import { openInstance, readPlainConfig } from '../instance.ts'
import { formatTable } from '../table.ts'

const codes = { ok: 0, warning: 1, failure: 2 }

export const doctor: Command = {
  name: 'doctor',
  parameters: [],
  about: 'Examines the installation and says what to do.',
  details: 'Exits with 0 if all is well, 1 after warnings and 2 after failures. Changes nothing.',
  options: {
    'mail-to': { type: 'string', value: 'ADDRESS', about: 'Send a test email to this address.' },
    json: jsonOption,
  },
  async run(input) {
    const config = readPlainConfig(input.env)
    await using instance = await openInstance(input.env).catch(() => undefined)
    const checks = await examine({ input, config, db: instance?.db })
    const status = worstOf(checks)
    input.print(input.flag('json') ? JSON.stringify({ status, checks }) : describe(checks))
    input.exitWith(codes[status])
  },
}

function describe(checks: readonly Entry[]): string {
  const rows = checks.flatMap(({ id, status, message, advice }) => [
    [status, id, message],
    ...(advice ? [['', '', `→ ${advice}`]] : []),
  ])
  return formatTable(['STATUS', 'CHECK', 'WHAT WAS FOUND'], rows)
}
