import { listOrganizations } from '@gatehouse-access/server'
import { type Command, jsonOption } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { formatTable } from '../table.ts'

export const organizations: Command = {
  name: 'organizations',
  parameters: [],
  about: 'Lists the organizations.',
  options: { json: jsonOption },
  async run({ env, flag, print }) {
    await using instance = await openMigrated(env)
    const found = await listOrganizations(instance.db)
    const table = () =>
      formatTable(
        ['ID', 'NAME'],
        found.map(({ id, name }) => [id, name]),
      )
    print(flag('json') ? JSON.stringify(found) : table())
  },
}
