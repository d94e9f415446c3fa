import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  deviceProtocolSchema,
  errorTypes,
  exampleError,
  headLanguages,
  headWords,
  importColumns,
  importKinds,
  listOperations,
  memberEndpoints,
  type Operation,
  tagOf,
} from '@gatehouse-access/api'
import { alarmTypes, doorModes, precedence } from '@gatehouse-access/core'
import { describeQuotas } from '../packages/server/src/config/quotas.ts'
import { describeSettings } from '../packages/server/src/config/settings.ts'
import { describeAccountRoutes } from '../packages/server/src/http/account/routes.ts'
import { describeProcessing } from '../packages/server/src/services/privacy/describe.ts'

const folder = join(import.meta.dirname, '..', 'docs')
const mark = '<!-- Everything below is written by `npm run docs`. -->\n'

const quotas = `## Quotas

A quota limits how many objects of a kind one holder can have; deleted objects do not count. Beyond it the response is 400
\`quota_exceeded\` with the
number in \`args.quota\` and the kind in \`args.kind\`. For sessions, the oldest one ends instead. A device has one secret, so the
quota for devices
also limits their credentials. A *grant* is an application in an organization. Counts are cached for a while and refreshed near the
quota, so that only simultaneous requests can exceed it; streams are counted in each process.

`

/** Returns the generated documents by name. In guides, the handwritten text above the mark is kept. */
export async function renderDocuments(): Promise<Record<string, string>> {
  return {
    'settings.md': `# Settings\n\nAll settings are environment variables, read once at the start.\n\n${describeSettings()}\n${quotas}${describeQuotas()}`,
    'errors.md': renderErrors(),
    'device-protocol.schema.json': `${JSON.stringify(deviceProtocolSchema(), null, 2)}\n`,
    'api.md': await append('api.md', renderEndpoints()),
    'member-api.md': await append('member-api.md', renderMemberEndpoints()),
    'accounts.md': await append('accounts.md', describeAccountRoutes()),
    'alarms.md': await append('alarms.md', renderAlarms()),
    'door-modes.md': await append('door-modes.md', renderModes()),
    'import.md': await append('import.md', renderHeadWords()),
    'privacy.md': await append('privacy.md', describeProcessing()),
  }
}

async function append(name: string, text: string): Promise<string> {
  const [guide] = (await readFile(join(folder, name), 'utf8')).split(mark)
  return `${guide}${mark}\n${text}`
}

function renderHeadWords(): string {
  const names = { en: 'English', de: 'German', es: 'Spanish', fr: 'French', it: 'Italian', pt: 'Portuguese' }
  const columns = [...new Set(importKinds.flatMap(kind => importColumns(kind)))].filter(name => name !== 'id')
  const rows = columns.map(
    column =>
      `| \`${column}\` | ${headLanguages.map(language => headWords[column][language].join(', ')).join(' | ')} |`,
  )
  return [
    '## Words of head lines',
    '',
    'A column can have its own name or one of these. Case, accents and punctuation do not matter.',
    '',
    `| Column | ${headLanguages.map(language => names[language]).join(' | ')} |`,
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function renderAlarms(): string {
  const rows = Object.entries(alarmTypes).map(
    ([type, { severity, delay_seconds, of, when }]) =>
      `| \`${type}\` | \`${severity}\` | ${delay_seconds === 0 ? '–' : `${delay_seconds} s`} | ${of} | ${when} |`,
  )
  return [
    '## The types',
    '',
    '| Type | Severity | Delay | Of | When |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function renderModes(): string {
  const modes = Object.entries(doorModes).map(
    ([mode, { physical, credentials }]) => `| \`${mode}\` | ${physical} | ${credentials} |`,
  )
  const levels = precedence.map(
    ({ title, modes, source, where, set_by, ends }, index) =>
      `| ${index + 1} | ${title} | ${modes.map(mode => `\`${mode}\``).join(' or ')} | \`${source}\` | ${where} | ${set_by} | ${ends} |`,
  )
  return `## The modes

| Mode | The door | Credentials |
|---|---|---|
${modes.join('\n')}

## Who wins

Strongest first. The first that says something about a door decides its mode.

| # | What | Mode | \`source\` | Where | Set by | Ends |
|---|---|---|---|---|---|---|
${levels.join('\n')}
`
}

function renderMemberEndpoints(): string {
  const rows = memberEndpoints.map(
    ({ method, path, about, is_signed_in }) =>
      `| \`${method} ${path}\` | ${about} | ${is_signed_in ? 'member' : 'anyone'} |`,
  )
  return ['| Endpoint | What it does | Who |', '|---|---|---|', ...rows, ''].join('\n')
}

function renderErrors(): string {
  const rows = Object.entries(errorTypes).map(
    ([type, { status, about }]) => `| ${status} | \`${type}\` | ${about} |`,
  )
  const example = JSON.stringify(exampleError('invalid_request'), null, 2)
  return `# Errors

All errors have the same JSON shape: \`type\` is a stable code, \`message\` says which value was wrong and what would be
valid, and \`args\` holds details for programs. Every response, including errors, carries \`X-Request-Id\`.

\`\`\`json
${example}
\`\`\`

| Status | Type | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

function renderEndpoints(): string {
  const chapters = Map.groupBy(listOperations(), ({ resource }) => resource)
  return [...chapters]
    .map(([resource, group]) => `### ${tagOf(resource)}\n\n${resource.about}\n\n${table(group)}`)
    .join('\n')
}

function table(group: readonly Operation[]): string {
  const rows = group.map(
    operation =>
      `| \`${operation.method} ${operation.path}\` | ${operation.title} | ${leastScopes(operation)} |`,
  )
  return ['| Endpoint | What it does | Minimum scope, one of |', '|---|---|---|', ...rows, ''].join('\n')
}

/** What reads is also reached by what reads and writes. */
function leastScopes({ scopes }: Operation): string {
  const [first, ...others] = scopes.filter((scope, index) => index === 0 || scope !== 'full_read_write')
  return [first, ...others].map(scope => `\`${scope}\``).join(', ')
}

if (import.meta.main)
  for (const [name, text] of Object.entries(await renderDocuments()))
    await writeFile(join(folder, name), text)
