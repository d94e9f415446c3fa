import type { Trial } from '@gatehouse-access/server'
import { CommandError } from '../command.ts'

export function describeTrial({ pending, differences, failure }: Trial): string[] {
  if (pending.length === 0) return ['This version brings no migrations.']
  return [
    `This version brings ${pending.length} migrations: ${pending.join(', ')}.`,
    ...differences.map(difference => `Unlike after its migrations, the database ${difference}.`),
    ...(failure ? [] : ['They work on a copy of the schema.']),
  ]
}

/** Throws a sentence if this version cannot take over the database. */
export function refuseTrial({ newer, failure }: Trial): void {
  if (newer.length > 0)
    throw new CommandError(
      `The database was migrated by a newer version (${newer.at(-1)} is unknown to this one): use that version, or restore a backup from before its upgrade.`,
    )
  if (failure)
    throw new CommandError(
      `The migration ${failure.name} fails on a copy of the schema: ${failure.reason}. Stay with the present version and report this.`,
    )
}
