import { type Command, CommandError, jsonOption, organizationOption } from '../command.ts'
import { findByName } from '../find-by-name.ts'
import { openClient, urlOption } from '../open-client.ts'

export const openDoor: Command = {
  name: 'open',
  parameters: ['DOOR'],
  about: 'Opens a door: its name or ID.',
  details: [
    'Runs the action that releases the door, or its first one. If several doors have the name, nothing is opened and the',
    'IDs are listed.',
  ].join('\n'),
  options: {
    action: { type: 'string', value: 'ID', about: 'Another action of the door.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [wanted = ''] = input.parameters
    const client = await openClient(input)
    const { id, name, door, actions } = await findByName(client.gadgets, {
      ...{ prefix: 'gad_', what: 'door', wanted },
    })
    const action_id = input.text('action') ?? door?.release_action_id ?? actions[0]?.id
    if (action_id === undefined) throw new CommandError(`${name} (${id}) has no action that could open it.`)
    await client.gadgets.run_action(id, action_id, {}).catch(error => {
      throw new CommandError(`${name} was not opened: ${error.message}.`, { cause: error })
    })
    if (input.flag('json')) return input.print(JSON.stringify({ gadget_id: id, name, action_id }))
    input.print(`${name}: ${actions.find(action => action.id === action_id)?.name ?? action_id} done.`)
  },
}
