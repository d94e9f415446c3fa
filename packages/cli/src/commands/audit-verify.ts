import { existsSync } from 'node:fs'
import { verifyAudit } from '@gatehouse-access/server'
import { chooseOrganization } from '../choose-organization.ts'
import { type Command, CommandError, type Input, jsonOption } from '../command.ts'
import { type Instance, openMigrated } from '../instance.ts'
import { readKeys } from '../read-keys.ts'

type Report = Awaited<ReturnType<typeof verifyAudit>>

export const auditVerify: Command = {
  name: 'audit verify',
  parameters: [],
  about: 'Checks that no event was altered, removed, inserted or moved, and names the first that was.',
  details: [
    'Checks the hash chain of every organization and the seals of its links against its events, and all of them against the',
    'signed checkpoints: those in the database and those kept outside it, in the folders of GATEHOUSE_CHECKPOINT_DIR or',
    'those given with --anchor. Exits with 1 and a sentence for each broken chain.',
    '',
    'It runs on any machine that can reach the database. With --public-key instead of the service key, seals are not checked:',
    'what happened since the last checkpoint is then not proved.',
  ].join('\n'),
  options: {
    organization: { type: 'string', value: 'ID', about: 'Only this organization. Defaults to all.' },
    anchor: {
      type: 'string',
      value: 'PATHS',
      about: 'Folders or single files of checkpoints, separated by commas, instead of those of the settings.',
    },
    'public-key': {
      type: 'string',
      value: 'KEYS',
      about:
        'Public keys that checkpoints can be signed with, separated by commas, instead of the service key.',
    },
    json: jsonOption,
  },
  async run(input) {
    await using instance = await openMigrated(input.env)
    const id = input.text('organization')
    const public_keys = input.text('public-key')?.split(',')
    const report = await verifyAudit(instance.db, {
      ...(public_keys ? { public_keys } : { secret_keys: readKeys(input, instance) }),
      anchors: findAnchors(input, instance),
      organization_id: id === undefined ? undefined : (await chooseOrganization(instance.db, id)).id,
    })
    if (input.flag('json')) input.print(JSON.stringify(report))
    if (report.breaks.length > 0) throw new CommandError(report.breaks.map(describe).join('\n'))
    if (!input.flag('json')) for (const line of summarize(report)) input.print(line)
  },
}

/** A folder from the settings may not exist yet. A folder given with --anchor must exist. */
function findAnchors(input: Input, { config }: Instance): readonly string[] {
  return input.text('anchor')?.split(',') ?? config.checkpoint_dirs.filter(path => existsSync(path))
}

function summarize(report: Report): string[] {
  const { events, organizations, erased, expired, amended, unreceipted, checkpoints, seals, purged } = report
  return [
    `${events} events of ${organizations} organizations are as they were sealed (${erased} erased, ${expired} expired, ${amended} amended, ${checkpoints} checkpoints).`,
    ...(unreceipted === 0
      ? []
      : [
          `${unreceipted} amendments belong to erasures that go on${seals ? '' : ', and are not proved without the service key'}.`,
        ]),
    ...purged.map(({ organization_id, purged_at }) => `${organization_id} was purged at ${purged_at}.`),
    ...(seals ? [] : ['Seals were not checked, because that needs the service key.']),
  ]
}

function describe({ organization_id, number, message }: Report['breaks'][number]): string {
  if (organization_id === null) return message
  return number === null ? `${organization_id}: ${message}` : `${organization_id}, link ${number}: ${message}`
}
