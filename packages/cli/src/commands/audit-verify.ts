import { checkpointKey, loadSecretKeys, parseSecretKeys, verifyAudit } from '@gatehouse/server'
import { chooseOrganization } from '../choose-organization.ts'
import { type Command, CommandError, type Input, jsonOption } from '../command.ts'
import { type Instance, openMigrated } from '../instance.ts'

export const auditVerify: Command = {
  name: 'audit verify',
  parameters: [],
  about: 'Checks that no event was altered, removed, inserted or moved, and names the first that was.',
  details: [
    'Checks the hash chain of every organization against its events, and both against the signed checkpoints: those of the',
    'database and, where GATEHOUSE_CHECKPOINT_DIR is set, those kept there, which also show a cut tail and a database that',
    'was rolled back. Ends with 1 when something is wrong.',
  ].join('\n'),
  options: {
    organization: { type: 'string', value: 'ID', about: 'Only this organization; all when left out.' },
    json: jsonOption,
  },
  async run(input) {
    await using instance = await openMigrated(input.env)
    const id = input.text('organization')
    const report = await verifyAudit(instance.db, {
      public_keys: readKeys(input, instance).map(key => checkpointKey(key).public_key),
      checkpoint_dir: instance.config.checkpoint_dir,
      organization_id: id === undefined ? undefined : (await chooseOrganization(instance.db, id)).id,
    })
    const { organizations, events, erased, checkpoints, breaks } = report
    if (input.flag('json')) input.print(JSON.stringify(report))
    if (breaks.length > 0) throw new CommandError(breaks.map(describe).join('\n'))
    if (input.flag('json')) return
    input.print(
      `${events} events of ${organizations} organizations are as they were sealed (${erased} erased, ${checkpoints} checkpoints).`,
    )
  },
}

function readKeys({ env }: Input, { config }: Instance): readonly Buffer[] {
  const given = env.GATEHOUSE_SECRET_KEY?.trim()
  const keys = given ? parseSecretKeys(given) : loadSecretKeys(config.data_dir)
  if (!keys) throw new CommandError('GATEHOUSE_SECRET_KEY must hold the keys of the service.')
  return keys
}

function describe({
  organization_id,
  number,
  message,
}: Awaited<ReturnType<typeof verifyAudit>>['breaks'][number]): string {
  return organization_id === null ? message : `${organization_id}, link ${number}: ${message}`
}
