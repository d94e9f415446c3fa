import { hasUsers, makeFirstLink, openVault } from '@gatehouse-access/server'
import { type Command, CommandError } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { readKeys } from '../read-keys.ts'

export const usersFirstLink: Command = {
  name: 'users first-link',
  parameters: [],
  about: 'Prints a link with which the first owner signs up.',
  details:
    'The link works once, for a week, and only while there is no user. Whoever has it becomes the first user.',
  options: {},
  async run(input) {
    await using instance = await openMigrated(input.env)
    if (await hasUsers(instance.db))
      throw new CommandError(
        'There are users already: an owner can invite others. gatehouse users list shows them.',
      )
    const vault = openVault(readKeys(input, instance))
    input.print(makeFirstLink({ ...instance, vault }, instance.config.public_url))
  },
}
