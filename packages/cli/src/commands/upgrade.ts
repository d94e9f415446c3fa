import { type Trial, tryMigrations } from '@gatehouse-access/server'
import { type Command, CommandError, jsonOption } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { wrongCall } from '../read-arguments.ts'

export const upgrade: Command = {
  name: 'upgrade',
  parameters: [],
  about: 'Tries whether this version can take over the database of the running one.',
  details: [
    'Run it with the new version. It tries the pending migrations on a copy of the schema, without data, and changes nothing.',
    'Then make a backup and start the new version in place of the old one: it migrates by itself.',
  ].join('\n'),
  options: { check: { type: 'boolean', about: 'Required: only try.' }, json: jsonOption },
  async run({ env, flag, print }) {
    if (!flag('check')) throw wrongCall({ name: 'upgrade' }, 'only tries so far, with --check')
    await using instance = await openMigrated(env)
    const trial = await tryMigrations(instance.db, instance.clock.now())
    if (flag('json')) print(JSON.stringify(trial))
    else for (const line of describe(trial)) print(line)
    refuse(trial)
  },
}

function describe({ pending, differences, failure }: Trial): string[] {
  if (pending.length === 0) return ['This version brings no migrations.']
  return [
    `This version brings ${pending.length} migrations: ${pending.join(', ')}.`,
    ...differences.map(difference => `Unlike after its migrations, the database ${difference}.`),
    ...(failure ? [] : ['They work on a copy of the schema.']),
  ]
}

function refuse({ newer, failure }: Trial): void {
  if (newer.length > 0)
    throw new CommandError(
      `The database was migrated by a newer version (${newer.at(-1)} is unknown to this one): use that version, or restore a backup from before its upgrade.`,
    )
  if (failure)
    throw new CommandError(
      `The migration ${failure.name} fails on a copy of the schema: ${failure.reason}. Stay with the present version and report this.`,
    )
}
