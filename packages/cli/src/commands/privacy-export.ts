import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Command, CommandError, organizationOption } from '../command.ts'
import { openClient, urlOption } from '../open-client.ts'

export const privacyExport: Command = {
  name: 'privacy export',
  parameters: ['MEMBER'],
  about: 'Writes everything that is held about a member into two files.',
  details: [
    "MEMBER is the ID of a member. member-data.json is for programs, member-data.html for people, in the member's language. Other",
    'people appear as roles. Each fetch is recorded as an event.',
  ].join('\n'),
  options: {
    out: {
      type: 'string',
      value: 'FOLDER',
      about: 'Where to write the files. Defaults to the current folder.',
    },
    organization: organizationOption,
    url: urlOption,
  },
  async run(input) {
    const [member_id = ''] = input.parameters
    const folder = resolve(input.text('out') ?? '.')
    const client = await openClient(input)
    const { id } = await client.members.data_export(member_id).catch(error => {
      throw new CommandError(`${member_id} was not exported: ${error.message}.`, { cause: error })
    })
    const job = await client.jobs.wait(id)
    if (job.state !== 'succeeded')
      throw new CommandError(
        `${member_id} was not exported: ${job.error?.message ?? `the job is ${job.state}`}.`,
      )
    for (const { name } of job.files) {
      const path = join(folder, name)
      const bytes = Buffer.from(await (await client.jobs.file(id, name)).arrayBuffer())
      // It is about one person: nobody else on this machine reads it.
      await writeFile(path, bytes, { mode: 0o600 })
      input.print(path)
    }
  },
}
