import { periodNames } from '@gatehouse-access/api'
import { type Command, jsonOption, organizationOption } from '../command.ts'
import { openClient, urlOption } from '../open-client.ts'
import { formatTable } from '../table.ts'

export const privacyReport: Command = {
  name: 'privacy report',
  parameters: [],
  about:
    'Prints the record of processing: which personal data is stored and why, who gets it, how long it is kept.',
  options: { organization: organizationOption, url: urlOption, json: jsonOption },
  async run(input) {
    const client = await openClient(input)
    const record = await client.organization.privacy_record()
    if (input.flag('json')) return input.print(JSON.stringify(record))
    const { organization, made_at, periods, pending, recipients, data } = record
    input.print(`${organization}, ${made_at}\n`)
    input.print(
      formatTable(
        ['Period', 'Days'],
        periodNames.map(name => [name, String(periods[name] ?? 'endless')]),
      ),
    )
    if (pending) input.print(`Shorter periods take effect at ${pending.takes_effect_at}.`)
    input.print(
      `\n${formatTable(
        ['Recipient', 'Name', 'Count'],
        recipients.map(({ kind, name, count }) => [kind, name, String(count)]),
      )}`,
    )
    input.print(
      `\n${formatTable(
        ['Data', 'Purpose', 'Classes', 'Kept'],
        data.map(entry => [
          entry.data,
          entry.purpose,
          entry.fields.map(held => held.class).join(', '),
          entry.kept,
        ]),
      )}`,
    )
  },
}
