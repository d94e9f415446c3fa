import { type Command, jsonOption, organizationOption } from '../command.ts'
import { describeProgress, jobHeadings } from '../describe-job.ts'
import { openClient, urlOption } from '../open-client.ts'
import { readCount } from '../read-arguments.ts'
import { formatTable } from '../table.ts'

const usualLimit = 20

export const jobs: Command = {
  name: 'jobs',
  parameters: [],
  about: 'Lists the newest jobs that were made with this command line.',
  options: {
    limit: { type: 'string', value: 'N', about: `How many to list. Defaults to ${usualLimit}.` },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const limit = readCount(input, 'jobs', 'limit', usualLimit)
    const client = await openClient(input)
    const rows: string[][] = []
    for await (const job of client.jobs.all({ limit: Math.min(100, Math.max(1, limit)) })) {
      if (rows.length >= limit) break
      if (input.flag('json')) input.print(JSON.stringify(job))
      rows.push(describeProgress(job))
    }
    if (!input.flag('json')) input.print(formatTable(jobHeadings, rows))
  },
}
