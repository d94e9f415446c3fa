import { type Command, CommandError, jsonOption, organizationOption, UsageError } from '../command.ts'
import { findSite, openClient, urlOption } from '../open-client.ts'
import { formatTable } from '../table.ts'

export const schedulesPreview: Command = {
  name: 'schedules preview',
  parameters: ['ID'],
  about: 'Shows when a schedule is open at a site, date by date, and why.',
  options: {
    site: { type: 'string', value: 'SITE', about: 'Name or ID of the site. Required.' },
    from: { type: 'string', value: 'DATE', about: 'First date. Defaults to today at the site.' },
    to: { type: 'string', value: 'DATE', about: 'Last date. Defaults to two weeks. At most 400 days.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [id = ''] = input.parameters
    const wanted = input.text('site')
    if (wanted === undefined) throw new UsageError('--site is required.')
    const [from, to] = [input.text('from'), input.text('to')]
    const client = await openClient(input)
    const site = await findSite(client, wanted)
    const preview = await client.schedules
      .preview(id, { site_id: site.id, ...(from && { from }), ...(to && { to }) })
      .catch(error => {
        throw new CommandError(`There is no preview: ${error.message}.`, { cause: error })
      })
    if (input.flag('json')) return input.print(JSON.stringify(preview))
    const rows = preview.data.map(day => [
      day.date,
      day.ranges.map(({ start, end }) => `${clock(start)}-${clock(end)}`).join(' ') || 'closed',
      [day.source, day.kind].filter(Boolean).join(' '),
      day.clock_change ? 'clocks change' : '',
    ])
    input.print(formatTable(['DATE', 'OPEN', 'BECAUSE OF', ''], rows))
  },
}

function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const text = [hours, minutes].map(part => String(part).padStart(2, '0')).join(':')
  return rest === 0 ? text : `${text}:${String(rest).padStart(2, '0')}`
}
