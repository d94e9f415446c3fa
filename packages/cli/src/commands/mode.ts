import type { ModeBody } from '@gatehouse-access/api'
import {
  type Command,
  CommandError,
  type Input,
  jsonOption,
  organizationOption,
  UsageError,
} from '../command.ts'
import { findByName } from '../find-by-name.ts'
import { formatMode } from '../format-mode.ts'
import { openClient, urlOption } from '../open-client.ts'
import { readLength } from '../read-time.ts'

const modes = ['unlocked', 'controlled', 'scheduled'] as const

export const setDoorMode: Command = {
  name: 'mode',
  parameters: ['GADGET', 'MODE'],
  about: 'Unlocks or locks a door for a while, or gives it back to its unlock rules.',
  details: [
    'MODE is unlocked (held open), controlled (locked; credentials open it) or scheduled (as its unlock rules say).',
    'Without a time, it lasts until the next turn of the unlock rules of the door. A door without rules stays',
    'controlled; to unlock it, give --for, --until, or --indefinitely.',
  ].join('\n'),
  options: {
    for: { type: 'string', value: 'TIME', about: 'How long, such as 30m, 2h or 1d.' },
    until: { type: 'string', value: 'TIMESTAMP', about: 'When it ends, such as 2027-01-31T18:00:00Z.' },
    indefinitely: { type: 'boolean', about: 'Until somebody changes it.' },
    reason: { type: 'string', value: 'TEXT', about: 'Why, for the record.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [wanted = '', mode = ''] = input.parameters
    const body = readBody(input, mode)
    const client = await openClient(input)
    const { id, name } = await findByName(client.gadgets, { prefix: 'gad_', what: 'gadget', wanted })
    const gadget = await client.gadgets.mode(id, body).catch(error => {
      throw new CommandError(`${name} stays as it is: ${error.message}.`, { cause: error })
    })
    if (input.flag('json')) return input.print(JSON.stringify(gadget.mode))
    if (!gadget.mode) return
    const [now, because, until, confirmed] = formatMode(gadget.mode)
    const end = until ? ` until ${until}` : ''
    const waiting = confirmed === 'yes' ? '' : ' Its controller has not confirmed it yet.'
    input.print(`${name} is ${now}${end}${because ? ` (${because})` : ''}.${waiting}`)
  },
}

function readBody(input: Input, mode: string): ModeBody {
  const known = modes.find(name => name === mode)
  if (!known) throw new UsageError(`MODE must be one of ${modes.join(', ')}, not ${mode}.`)
  const ends = ['for', 'until', 'indefinitely'].filter(name => input.text(name) !== undefined)
  if (ends.length > 1) throw new UsageError(`Give only one of --${ends.join(' and --')}.`)
  const reason = input.text('reason')
  return { mode: known, ...readEnd(input), ...(reason !== undefined && { reason }) }
}

function readEnd(input: Input): Pick<ModeBody, 'lasts' | 'until'> {
  if (input.flag('indefinitely')) return { lasts: 'indefinitely' }
  const [until, length] = [input.text('until'), input.text('for')]
  if (until !== undefined) return { lasts: 'until', until }
  if (length === undefined) return {}
  const seconds = readLength(length)
  if (seconds === undefined) throw new UsageError(`--for must be like 30m, 2h or 1d, not ${length}.`)
  return { lasts: 'until', until: new Date(Date.now() + seconds * 1000).toISOString() }
}
