import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, organizationOption } from '../command.ts'
import { openClient, urlOption } from '../open-client.ts'
import { readCount } from '../read-arguments.ts'
import { buildIn } from '../simulate/building.ts'
import { removeBuildings } from '../simulate/remove.ts'
import { scenes } from '../simulate/scenes.ts'

export const simulate: Command = {
  name: 'simulate',
  parameters: [],
  about: 'Plays a day in a virtual building in a minute. The console shows it live.',
  details: [
    'Creates a building with virtual controllers, doors and people whose names begin with "Simulated", and plays:',
    'people come, doors open, somebody is denied, a controller drops out, a lockdown is drilled. The building stays',
    'until the next simulation, or until --remove.',
  ].join('\n'),
  options: {
    seconds: { type: 'string', value: 'N', about: 'How long the day takes. Defaults to 60.' },
    remove: { type: 'boolean', about: 'Only removes what earlier simulations have left.' },
    organization: organizationOption,
    url: urlOption,
  },
  async run(input) {
    const seconds = readCount(input, 'simulate', 'seconds', 60)
    const client = await openClient(input)
    const removed = await removeBuildings(client)
    if (input.flag('remove')) return input.print(`Removed ${removed} objects of earlier simulations.`)
    const building = await buildIn(client)
    input.print('Built a virtual building with two controllers, four doors and four people.')
    for (const { clock, play, says } of scenes) {
      input.print(`${clock}  ${says}: ${await play(client, building)}.`)
      await sleep((seconds * 1000) / scenes.length)
    }
    input.print('gatehouse simulate --remove removes the building.')
  },
}
