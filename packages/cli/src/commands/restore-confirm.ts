import { confirmRestore, findOpenRestore } from '@gatehouse-access/server'
import type { Command, Input } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { wrongCall } from '../read-arguments.ts'
import { readKeys } from '../read-keys.ts'
import { nameOfOperator } from './restore-mark.ts'

export const restoreConfirm: Command = {
  name: 'restore confirm',
  parameters: [],
  about:
    'Ends the review of a restore: the service goes on, and what was revoked since the backup is deleted.',
  details: [
    'Everything that gatehouse restore review shows as suspended is deleted, except for what is kept. Controllers get the policy',
    'of this database under a version above their own, and webhooks are sent again. If interrupted, run it again.',
  ].join('\n'),
  options: {
    keep: {
      type: 'string',
      takes: 'many',
      value: 'ID…',
      about: 'Do not delete these: they are in force again.',
    },
    'keep-deleted-between': {
      type: 'string',
      takes: 2,
      value: 'TIME TIME',
      about: 'Nor what was deleted between these times: undoes a mistaken deletion of many.',
    },
    by: { type: 'string', value: 'NAME', about: 'Who confirms it. Defaults to the account that runs this.' },
  },
  async run(input) {
    const keep_deleted_between = readBetween(input)
    await using instance = await openMigrated(input.env)
    const config = { ...instance.config, secret_keys: readKeys(input, instance) }
    const restore = await findOpenRestore(instance.db)
    if (restore)
      input.print(
        `Confirming the restore to ${restore.target}: what is suspended is deleted, except for what you keep.`,
      )
    const { kept, deleted } = await confirmRestore(
      { ...instance, config },
      { by: nameOfOperator(input), keep: input.texts('keep'), keep_deleted_between },
    )
    input.print(`Kept ${kept}, deleted ${deleted}. The service goes on within a second.`)
  },
}

function readBetween(input: Input): { from: string; until: string } | undefined {
  const given = input.texts('keep-deleted-between')
  if (given.length === 0) return undefined
  const [from, until, ...more] = given.map(readTime)
  if (from && until && more.length === 0 && Temporal.Instant.compare(from, until) <= 0)
    return { from: from.toString(), until: until.toString() }
  throw wrongCall(
    restoreConfirm,
    `takes two times, the earlier first, as --keep-deleted-between, not ${JSON.stringify(given.join(' '))}`,
  )
}

function readTime(text: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(text)
  } catch {
    return undefined
  }
}
