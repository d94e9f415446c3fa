import { fillOrganization } from '@gatehouse-access/server'
import { chooseOrganization } from '../choose-organization.ts'
import { type Command, organizationOption } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { Progress } from '../progress.ts'
import { readCount } from '../read-arguments.ts'

export const seed: Command = {
  name: 'seed',
  parameters: [],
  about: 'Fills an organization for load tests.',
  details: [
    'Members come with a group, every second one with an email, and all with their create events. Events are doors that',
    "members opened. Both are spread over the last twelve months. The organization's webhooks and streams receive them.",
  ].join('\n'),
  options: {
    members: { type: 'string', value: 'COUNT', about: 'How many members to add. Defaults to 0.' },
    events: { type: 'string', value: 'COUNT', about: 'How many events to add. Defaults to 0.' },
    organization: organizationOption,
  },
  async run(input) {
    const counts = {
      members: readCount(input, 'seed', 'members', 0),
      events: readCount(input, 'seed', 'events', 0),
    }
    await using instance = await openMigrated(input.env)
    const { id, name } = await chooseOrganization(instance.db, input.text('organization'))
    input.print(`Filling ${name} (${id}).`)
    let shown: { what: string; progress: Progress } | undefined
    const onProgress = (what: 'members' | 'events', done: number) => {
      if (shown?.what !== what)
        shown = { what, progress: new Progress(what.padEnd(7), counts[what], input.terminal.stdout) }
      shown.progress.update(done)
      if (done === counts[what]) shown.progress.end()
    }
    await fillOrganization(instance, { organization_id: id, ...counts, onProgress })
  },
}
