import { type Review, reviewRestore } from '@gatehouse-access/server'
import { type Command, jsonOption } from '../command.ts'
import { openMigrated } from '../instance.ts'

type Revoked = Review['revoked'][number]

export const restoreReview: Command = {
  name: 'restore review',
  parameters: [],
  about: 'Shows what a restore brought back and what it lost, before you confirm it.',
  options: { json: jsonOption },
  async run({ env, flag, print }) {
    await using instance = await openMigrated(env)
    const review = await reviewRestore(instance.db)
    if (flag('json')) return print(JSON.stringify({ recovered: review !== undefined, ...review }))
    if (!review) return print('No restore waits for a confirmation.')
    for (const line of describe(review)) print(line)
  },
}

function describe(review: Review): string[] {
  const { restore } = review
  return [
    `Restored to ${restore.target} from ${restore.backup_id}, by ${restore.restored_by}. The service is read-only until gatehouse restore confirm.`,
    ...describeLedger(review),
    ...describeRevoked(review.revoked),
    ...describeDevices(review),
    ...describePending(review),
    ...describeBulk(review),
  ]
}

function describeLedger({ restore, window }: Review): string[] {
  const lost = `What was created or changed between ${window.from} and ${window.until} may be lost.`
  if (restore.ledger_from === null)
    return ['There was no ledger: what was revoked since the backup is in force again, unseen.', lost]
  const gap =
    restore.ledger_from > restore.target
      ? [
          `The ledger begins only at ${restore.ledger_from}: what was revoked before is in force again, unseen.`,
        ]
      : []
  return [...gap, `The ledger tells what was revoked until ${restore.ledger_until}.`, lost]
}

function describeRevoked(revoked: readonly Revoked[]): string[] {
  const suspended = revoked.filter(entry => entry.is_suspended_by_restore)
  const noted = revoked.filter(entry => !entry.is_suspended_by_restore)
  return [
    '',
    suspended.length === 0
      ? 'Nothing that was revoked came back.'
      : `${countKinds(suspended)} were deleted or changed after the backup. They have no effect, and confirming deletes or ends them:`,
    ...suspended.map(line),
    ...(noted.length > 0
      ? ['', 'These were changed after the backup and are as before again. Look at them:']
      : []),
    ...noted.map(line),
  ]
}

function line({ id, kind, name, how, revoked_at }: Revoked): string {
  return `  ${id}  ${wordOf(kind)}${name ? ` ${JSON.stringify(name)}` : ''}, ${howWords[how] ?? how} ${revoked_at}`
}

const howWords: Readonly<Record<string, string>> = {
  deleted: 'deleted',
  changed: 'changed',
  noted: 'changed',
  secret: 'replaced or revoked',
  mode: 'set otherwise or ended',
}

function wordOf(kind: string): string {
  return kind
    .replace(/^member_(?=.)/, '')
    .replaceAll('_', ' ')
    .replace('pin', 'PIN')
}

/** `14 members and 9 PINs` */
function countKinds(suspended: readonly Revoked[]): string {
  const counts = [...Map.groupBy(suspended, ({ kind }) => kind)].map(
    ([kind, { length }]) =>
      `${length} ${length > 1 ? `${wordOf(kind)}s`.replace(/ys$/, 'ies') : wordOf(kind)}`,
  )
  return new Intl.ListFormat('en').format(counts)
}

function describeDevices({ devices_ahead, unknown_members }: Review): string[] {
  return [
    ...(devices_ahead.length > 0 ? ['', 'These controllers have a newer policy and go on with it:'] : []),
    ...devices_ahead.map(
      ({ id, name, version, known_version }) =>
        `  ${id}  ${JSON.stringify(name)}, version ${version}, here ${known_version}`,
    ),
    ...(unknown_members.length > 0
      ? ['', 'Controllers let in these members, who were created after the backup and are lost here:']
      : []),
    ...unknown_members.map(({ id, device_id, seen_at }) => `  ${id}  at ${device_id}, told ${seen_at}`),
  ]
}

function describePending({ pending_deliveries }: Review): string[] {
  if (pending_deliveries.length === 0) return []
  return [
    '',
    'These webhooks have deliveries that waited at the time of the backup. Most were sent since; confirming sends them again:',
    ...pending_deliveries.map(({ id, deliveries }) => `  ${id}  ${deliveries} deliveries`),
  ]
}

function describeBulk({ bulk_deletion }: Review): string[] {
  if (!bulk_deletion) return []
  const { members, from, until } = bulk_deletion
  return [
    '',
    `${members} members were deleted within a minute. If that was the mistake that you want to undo, keep them:`,
    `  gatehouse restore confirm --keep-deleted-between ${from} ${until}`,
  ]
}
