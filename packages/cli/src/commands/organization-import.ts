import { resolve } from 'node:path'
import { type Imported, importOrganization } from '@gatehouse-access/server'
import { readBackupConfig } from '../backup-settings.ts'
import { type Command, jsonOption } from '../command.ts'
import { explainFile } from '../explain-file.ts'
import { openMigrated } from '../instance.ts'
import { Progress } from '../progress.ts'
import { askForKey } from '../read-recovery-key.ts'
import { countAll, describeContent, summary } from './organization-export.ts'

export const organizationImport: Command = {
  name: 'organization import',
  parameters: ['FILE'],
  about: 'Imports an organization that gatehouse organization export has written.',
  details: [
    'Reads the key of the file from standard input. IDs, events and the audit chain stay as they are, secrets are encrypted with the',
    'key of this installation, webhooks arrive disabled. The organization appears all at once at the end: if the command is',
    'interrupted, nothing of it is here, and it can be run again. An organization that exists here is never imported over.',
  ].join('\n'),
  options: {
    'dry-run': { type: 'boolean', about: 'Only tell what would be imported.' },
    json: jsonOption,
  },
  async run(input) {
    const [file = ''] = input.parameters
    const config = readBackupConfig(input)
    await using instance = await openMigrated(input.env)
    const key = await askForKey(input, 'Key of the file', 'The key of the file')
    const isTrial = input.flag('dry-run')
    let progress: Progress | undefined
    const done = await importOrganization(config, {
      from: resolve(file),
      key,
      clock: instance.clock,
      is_trial: isTrial,
      onPlan(about) {
        if (!input.flag('json'))
          input.print(
            `${isTrial ? 'Would import' : 'Importing'} ${describeContent(about)}, exported at ${about.exported_at}.`,
          )
        if (!isTrial) progress = new Progress('Rows', countAll(about), input.terminal.stderr)
      },
      onProgress: rows => progress?.update(rows),
      onLoaded() {
        progress?.end()
        if (!input.flag('json')) input.print('Verifying the audit chain.')
      },
    }).catch(error => explainFile('Nothing was imported', error))
    if (input.flag('json')) return input.print(JSON.stringify(toJson(done)))
    if (!isTrial) for (const line of report(done)) input.print(line)
  },
}

function toJson({ about, ...arrived }: Imported) {
  return { ...summary(about), exported_at: about.exported_at, ...arrived }
}

function report({ about, users, applications, over_quota }: Imported): string[] {
  const invited = users.filter(({ how }) => how === 'invited')
  const notMoved = applications.filter(({ how }) => how === 'not_moved')
  const hasOwner = users.some(({ how, role }) => how === 'user' && role === 'owner')
  return [
    `Imported ${about.organization.name} (${about.organization.id}). Its webhooks are disabled until somebody turns them on.`,
    ...invited.map(
      ({ email, role }) => `${email} has no account here, and is invited as ${role} for 14 days.`,
    ),
    ...(hasOwner
      ? []
      : ['Nobody here is its owner yet: an owner who is invited signs up with that address.']),
    ...notMoved.map(
      ({ id, name }) =>
        `The application ${name} (${id}) acts for other organizations too, and did not move: authorize it here anew.`,
    ),
    ...over_quota.map(kind => `It has more of ${kind} than the quota here allows: none can be added.`),
    'Now give its controllers the address of this installation, and then delete it at the source.',
  ]
}
