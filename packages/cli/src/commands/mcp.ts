import type { Command } from '../command.ts'
import { organizationOption } from '../command.ts'
import { openClient, urlOption } from '../open-client.ts'

export const mcp: Command = {
  name: 'mcp',
  parameters: [],
  about:
    'Lets an assistant ask and act, as a server of the Model Context Protocol over standard input and output.',
  details: [
    'Assistants start it themselves: give them the command "gatehouse mcp". It acts by GATEHOUSE_API_KEY or gatehouse login.',
    'Without --allow-writes there are only tools that read: why somebody was denied, who can open a door, and lists.',
  ].join('\n'),
  options: {
    'allow-writes': {
      type: 'boolean',
      about: 'Also offer tools that give a guest access, open a door and end access.',
    },
    organization: organizationOption,
    url: urlOption,
  },
  async run(input) {
    const client = await openClient(input)
    // Loaded only here: no other command needs the protocol.
    const { serveMcp } = await import('../mcp/serve.ts')
    await serveMcp(client, { allow_writes: input.flag('allow-writes') })
  },
}
