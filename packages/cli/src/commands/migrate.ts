import { migrate } from '@gatehouse-access/server'
import type { Command } from '../command.ts'
import { openInstance } from '../instance.ts'

export const migrateDatabase: Command = {
  name: 'migrate',
  parameters: [],
  about: 'Brings the schema of the database up to date.',
  details: 'The service does the same when it starts. Use this to migrate before you deploy.',
  options: {},
  async run({ env, print }) {
    await using instance = await openInstance(env)
    const applied = await migrate(instance.db, instance.clock.now())
    for (const name of applied) print(`applied ${name}`)
    if (applied.length === 0) print('The schema is up to date.')
  },
}
