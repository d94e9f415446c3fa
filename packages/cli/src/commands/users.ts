import { listAllUsers } from '@gatehouse-access/server'
import { type Command, jsonOption } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { formatTable } from '../table.ts'

export const users: Command = {
  name: 'users list',
  parameters: [],
  about: 'Lists the users, with their sessions.',
  options: { json: jsonOption },
  async run({ env, flag, print }) {
    await using instance = await openMigrated(env)
    const found = await listAllUsers(instance)
    const rows = found.map(({ id, email, sessions, has_second_factor }) =>
      [id, email, sessions, has_second_factor ? 'yes' : 'no'].map(String),
    )
    print(
      flag('json') ? JSON.stringify(found) : formatTable(['ID', 'EMAIL', 'SESSIONS', 'SECOND FACTOR'], rows),
    )
  },
}
