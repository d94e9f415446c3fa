import { listInstallations } from '@gatehouse-access/server'
import { type Command, jsonOption } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { formatTable } from '../table.ts'

const headings = ['ID', 'NAME', 'ORGANIZATION', 'SCOPES']

export const applications: Command = {
  name: 'applications',
  parameters: [],
  about: 'Lists the applications and the organizations that installed them.',
  options: { json: jsonOption },
  async run({ env, flag, print }) {
    await using instance = await openMigrated(env)
    const found = await listInstallations(instance.db)
    const rows = found.map(({ oauth_application_id, name, organization_id, scopes }) => [
      oauth_application_id,
      name,
      organization_id ?? '-',
      scopes.join(' '),
    ])
    print(flag('json') ? JSON.stringify(found) : formatTable(headings, rows))
  },
}
