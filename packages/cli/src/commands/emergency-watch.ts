import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, CommandError, jsonOption, organizationOption } from '../command.ts'
import { describeEmergency, listMissing } from '../describe-emergency.ts'
import { openClient, urlOption } from '../open-client.ts'
import { readCount } from '../read-arguments.ts'

const usualSeconds = 30

export const emergencyWatch: Command = {
  name: 'emergency watch',
  parameters: ['ID'],
  about: 'Waits until all doors have confirmed an emergency, or its end.',
  details: 'Exits with 0 when all have, or with 1 when the time is over, naming the doors that have not.',
  options: {
    seconds: { type: 'string', value: 'N', about: `How long to wait. Defaults to ${usualSeconds}.` },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [id = ''] = input.parameters
    const seconds = readCount(input, 'emergency watch', 'seconds', usualSeconds)
    const client = await openClient(input)
    const end = performance.now() + seconds * 1000
    let said = ''
    for (;;) {
      const emergency = await client.emergencies.get(id).catch(error => {
        throw new CommandError(`${id} cannot be watched: ${error.message}.`, { cause: error })
      })
      const line = input.flag('json') ? JSON.stringify(emergency) : describeEmergency(emergency)
      if (line !== said) input.print(line)
      said = line
      if (emergency.arrival === 'applied') return
      if (performance.now() >= end) break
      await sleep(Math.min(500, Math.max(0, end - performance.now())))
    }
    input.exitWith(1)
    if (!input.flag('json')) for (const line of await listMissing(client, id)) input.print(line)
  },
}
