import { type Command, CommandError, jsonOption, organizationOption } from '../command.ts'
import { openClient, urlOption } from '../open-client.ts'

export const alarmsAck: Command = {
  name: 'alarms ack',
  parameters: ['ID'],
  about: 'Acknowledges an alarm: somebody takes care of it, and nobody is told of it again.',
  options: {
    note: { type: 'string', value: 'TEXT', about: 'What is done about it, for the record.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [id = ''] = input.parameters
    const client = await openClient(input)
    const note = input.text('note')
    const alarm = await client.alarms.acknowledge(id, { ...(note && { note }) }).catch(error => {
      throw new CommandError(`${id} was not acknowledged: ${error.message}.`, { cause: error })
    })
    input.print(input.flag('json') ? JSON.stringify(alarm) : `${alarm.type} ${alarm.id} is ${alarm.state}.`)
  },
}
