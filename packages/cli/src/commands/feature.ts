import { setFeature } from '@gatehouse-access/server'
import { chooseOrganization } from '../choose-organization.ts'
import type { Command } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { wrongCall } from '../read-arguments.ts'

export const feature: Command = {
  name: 'feature',
  parameters: ['ORGANIZATION', 'whitelabel', 'on|off'],
  about: 'Turns a feature of an organization on or off.',
  details:
    'whitelabel: the organization can run gadget actions directly. The change is recorded as an event of the organization.',
  options: {},
  async run({ env, parameters, print }) {
    const [id, name, state] = parameters
    if (name !== 'whitelabel')
      throw wrongCall(feature, `knows the feature whitelabel, not ${JSON.stringify(name)}`)
    if (state !== 'on' && state !== 'off')
      throw wrongCall(feature, `takes on or off, not ${JSON.stringify(state)}`)
    await using instance = await openMigrated(env)
    const organization = await chooseOrganization(instance.db, id)
    const moved = await setFeature(instance, organization.id, name, state === 'on')
    print(`${name} is ${moved ? 'now' : 'already'} ${state} for ${organization.name}.`)
  },
}
