import { exportFormats } from '@gatehouse-access/api'
import { type Command, CommandError, organizationOption } from '../command.ts'
import { sayState } from '../describe-job.ts'
import { fetchFile } from '../fetch-file.ts'
import { openAccess, urlOption } from '../open-client.ts'
import { wrongCall } from '../read-arguments.ts'

export const exportList: Command = {
  name: 'export',
  parameters: ['LIST'],
  about: 'Writes all objects of a list to the standard output, such as members or events.',
  options: {
    format: { type: 'string', value: 'FORMAT', about: 'csv (the default) or ndjson.' },
    organization: organizationOption,
    url: urlOption,
  },
  async run(input) {
    const [kind = ''] = input.parameters
    const wanted = input.text('format') ?? 'csv'
    const format = exportFormats.find(known => known === wanted)
    if (!format) throw wrongCall(exportList, `cannot write ${wanted}: only ${exportFormats.join(' and ')}`)
    const access = await openAccess(input)
    const made = await access.client.exports.create({ kind, format }).catch(error => {
      throw new CommandError(`Nothing was exported: ${error.message}.`, { cause: error })
    })
    const job = await access.client.jobs.wait(made.id)
    const [file] = job.files
    if (job.state !== 'succeeded' || !file) throw new CommandError(sayState(job))
    await fetchFile(access, `/jobs/${job.id}/files/${file.name}`, input.terminal.stdout)
  },
}
