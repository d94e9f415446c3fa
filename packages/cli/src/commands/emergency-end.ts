import { type Command, CommandError, jsonOption, organizationOption } from '../command.ts'
import { describeEmergency } from '../describe-emergency.ts'
import { openClient, urlOption } from '../open-client.ts'

export const emergencyEnd: Command = {
  name: 'emergency end',
  parameters: ['ID'],
  about: 'Ends an emergency. The doors go back to what else is set.',
  options: {
    reason: { type: 'string', value: 'TEXT', about: 'Why, for the record.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [id = ''] = input.parameters
    const client = await openClient(input)
    const reason = input.text('reason')
    const ended = await client.emergencies.end(id, { ...(reason && { reason }) }).catch(error => {
      throw new CommandError(`${id} was not ended: ${error.message}.`, { cause: error })
    })
    input.print(input.flag('json') ? JSON.stringify(ended) : describeEmergency(ended))
  },
}
