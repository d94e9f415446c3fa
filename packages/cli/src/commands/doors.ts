import { type Command, jsonOption, organizationOption } from '../command.ts'
import { formatMode } from '../format-mode.ts'
import { findSite, openClient, urlOption } from '../open-client.ts'
import { formatTable } from '../table.ts'

export const doors: Command = {
  name: 'doors',
  parameters: [],
  about: 'Lists the doors with their modes, why, and whether their controllers have confirmed them.',
  options: {
    site: { type: 'string', value: 'SITE', about: 'Name or ID of a site. Defaults to all sites.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const client = await openClient(input)
    const wanted = input.text('site')
    const site = wanted === undefined ? undefined : await findSite(client, wanted)
    const query = { limit: 100, expand: ['site'], ...(site && { site_id: site.id }) } as const
    const rows: string[][] = []
    for await (const { id, mode, name, site } of client.gadgets.all<{ site: { name: string } }>(query)) {
      if (!mode) continue
      if (input.flag('json')) input.print(JSON.stringify({ id, name, mode }))
      rows.push([id, name, site.name, ...formatMode(mode)])
    }
    if (input.flag('json')) return
    input.print(formatTable(['ID', 'DOOR', 'SITE', 'MODE', 'BECAUSE OF', 'UNTIL', 'CONFIRMED'], rows))
  },
}
