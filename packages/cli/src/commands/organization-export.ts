import { resolve } from 'node:path'
import { type About, exportOrganization } from '@gatehouse-access/server'
import { readBackupConfig } from '../backup-settings.ts'
import { type Command, jsonOption } from '../command.ts'
import { explainFile } from '../explain-file.ts'
import { formatSize } from '../format-size.ts'
import { openMigrated } from '../instance.ts'
import { Progress } from '../progress.ts'
import { wrongCall } from '../read-arguments.ts'

export const organizationExport: Command = {
  name: 'organization export',
  parameters: ['ID'],
  about: 'Writes one organization into an encrypted file, to move it to another installation.',
  details: [
    'Everything of the organization, as it is at one moment: members, credentials, doors, devices with their secrets, webhooks,',
    'events and the audit chain. Nothing changes here, and the service goes on. Prints the key of the file, which is kept',
    'nowhere: gatehouse organization import asks for it.',
  ].join('\n'),
  options: {
    to: { type: 'string', value: 'FILE', about: 'The file to write. It must not exist.' },
    json: jsonOption,
  },
  async run(input) {
    const [id = ''] = input.parameters
    const to = input.text('to')
    if (to === undefined) throw wrongCall(organizationExport, 'takes --to')
    const config = readBackupConfig(input)
    // Only tells whether the database runs and has its tables.
    await (await openMigrated(input.env))[Symbol.asyncDispose]()
    let progress: Progress | undefined
    const done = await exportOrganization(config, {
      organization_id: id,
      to: resolve(to),
      onBegin(about) {
        if (!input.flag('json'))
          input.print(`Exporting ${describeContent(about)}. Its audit chain is verified first.`)
        progress = new Progress('Rows', countAll(about), input.terminal.stderr)
      },
      onProgress: rows => progress?.update(rows),
    }).catch(error => explainFile('Nothing was exported', error))
    progress?.end()
    const { about, key, bytes } = done
    if (input.flag('json'))
      return input.print(
        JSON.stringify({ key, file: resolve(to), bytes, ...summary(about), exported_at: about.exported_at }),
      )
    input.print(`${key}\n\nThis key opens ${to} (${formatSize(bytes)}). It is shown only now.`)
  },
}

export function describeContent({ organization, tables }: About): string {
  const rows = (wanted: string) => tables.find(({ name }) => name === wanted)?.rows ?? 0
  return `${organization.name} (${organization.id}): ${rows('members')} members, ${rows('devices')} devices, ${rows('gadgets')} doors and other gadgets, ${rows('webhooks')} webhooks, ${rows('events')} events`
}

export function countAll({ tables }: About): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

/** What the JSON of both commands says of the organization. */
export function summary({ organization, tables }: About) {
  return {
    organization_id: organization.id,
    name: organization.name,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
  }
}
