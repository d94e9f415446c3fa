import { type Command, CommandError, jsonOption, organizationOption } from '../command.ts'
import { findByName } from '../find-by-name.ts'
import { openClient, urlOption } from '../open-client.ts'
import { describeOutcome } from '../simulate/outcome.ts'

export const keypad: Command = {
  name: 'keypad',
  parameters: ['DEVICE', 'KEYS'],
  about: 'Types keys at a virtual keypad, such as a PIN and #, and says what it did.',
  options: { organization: organizationOption, url: urlOption, json: jsonOption },
  async run(input) {
    const [wanted = '', keys = ''] = input.parameters
    const client = await openClient(input)
    const { id, name } = await findByName(client.devices, { prefix: 'dev_', what: 'device', wanted })
    const outcome = await client.devices.simulate(id, { keys }).catch(error => {
      throw new CommandError(`Nothing was typed at ${name}: ${error.message}.`, { cause: error })
    })
    input.print(input.flag('json') ? JSON.stringify(outcome) : `${name}: ${describeOutcome(outcome)}.`)
  },
}
