import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Client, ImportWish } from '@gatehouse-access/sdk'
import { type Command, CommandError, type Input, jsonOption, organizationOption } from '../command.ts'
import { type Job, sayState } from '../describe-job.ts'
import { openClient, urlOption } from '../open-client.ts'

/** The exit code of an import that refused some rows. */
const partly = 3
const shownErrors = 20

const settings = {
  kind: 'members (default), cards, calendar_days or group_associations.',
  mode: 'upsert (default), create or sync.',
  key: 'By what members are recognized: external_id (default), email, card_uid or metadata.KEY.',
  source: 'Where the rows come from. Required with --mode sync.',
  'max-deletes': 'The most that a sync may delete: 20 or 5%.',
  timezone: 'Of times without an offset.',
  'on-row-error': 'skip (default), stop or rollback.',
} as const

export const importFile: Command = {
  name: 'import',
  parameters: ['FILE'],
  about: 'Imports members, cards, days or associations from a file.',
  details: [
    'FILE is a CSV file, or one of JSON lines if it ends with .ndjson, or - for standard input. See docs/import.md.',
    'With --dry-run nothing is changed, and what would be is told; start it with the console or the API.',
    'With --watch it waits until the import has ended. It then exits with 3 if some rows were refused.',
  ].join('\n'),
  options: {
    'dry-run': { type: 'boolean', about: 'Change nothing, and say what would happen.' },
    watch: { type: 'boolean', about: 'Wait until it has ended, with a bar.' },
    ...Object.fromEntries(
      Object.entries(settings).map(([name, about]) => [
        name,
        { type: 'string', value: 'TEXT', about } as const,
      ]),
    ),
    mapping: { type: 'string', value: 'JSON', about: 'What columns mean: \'{"Karte": "card_uid"}\'.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [path = '-'] = input.parameters
    const wish = readWish(input, path)
    const file = await openFile(path, input.terminal.stdin)
    const client = await openClient(input)
    const made = await client.imports.create(file, wish).catch(error => {
      throw new CommandError(`${path} was not imported: ${error.message}.`, { cause: error })
    })
    const waits = input.flag('watch') || input.flag('dry-run')
    const job = waits ? await watch(client, made.id, input) : made
    if (input.flag('json')) input.print(JSON.stringify(job))
    else await say(client, job, input)
    if (job.state === 'failed') throw new CommandError(`${job.id} failed: ${job.error?.message}.`)
    if (job.progress.failed > 0) input.exitWith(partly)
  },
}

function readWish(input: Input, path: string): ImportWish {
  const given = Object.keys(settings).flatMap(name => {
    const text = input.text(name)
    return text === undefined ? [] : [[name.replaceAll('-', '_'), text] as const]
  })
  const mapping = input.text('mapping')
  return {
    ...Object.fromEntries(given),
    ...(mapping !== undefined && { mapping: parseMapping(mapping) }),
    dry_run: input.flag('dry-run'),
    format: /\.(ndjson|jsonl)$/i.test(path) ? 'ndjson' : 'csv',
  }
}

function parseMapping(text: string): NonNullable<ImportWish['mapping']> {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`--mapping must be a JSON object, not ${text}.`, { cause })
  }
}

/** The file is sent as it is read. */
async function openFile(path: string, stdin: NodeJS.ReadableStream) {
  if (path !== '-')
    await access(path).catch(cause => {
      throw new CommandError(`The file ${path} cannot be read: ${cause.message}.`, { cause })
    })
  const stream = path === '-' ? new Readable().wrap(stdin) : createReadStream(path)
  return Readable.toWeb(stream) as ReadableStream<Uint8Array<ArrayBuffer>>
}

const barWidth = 30

async function watch(client: Client, id: string, { terminal: { stderr } }: Input): Promise<Job> {
  const job = await client.jobs.wait(id, {
    onProgress({ progress: { done, total } }) {
      if (!stderr.isTTY) return
      const filled = total ? Math.round((done / total) * barWidth) : 0
      stderr.write(`\r[${'#'.repeat(filled).padEnd(barWidth)}] ${done} of ${total ?? '?'} `)
    },
  })
  if (stderr.isTTY) stderr.write(`\r${' '.repeat(barWidth + 30)}\r`)
  return job
}

async function say(client: Client, job: Job, { print }: Input): Promise<void> {
  print(sayState(job))
  if (job.state === 'queued' || job.state === 'running') return
  const { created, updated, unchanged, deleted, restored } = job.summary
  print(
    `${created} created, ${updated} updated, ${unchanged} unchanged, ${deleted} deleted, ${restored} restored.`,
  )
  for (const notice of job.notices) print(notice)
  if (job.progress.failed > 0 && job.files.some(({ name }) => name === 'errors.csv'))
    await sayErrors(client, job, print)
}

async function sayErrors(client: Client, { id, progress }: Job, print: Input['print']): Promise<void> {
  const lines = (await (await client.jobs.file(id, 'errors.csv')).text()).split('\r\n').filter(Boolean)
  for (const line of lines.slice(0, shownErrors + 1)) print(line)
  if (progress.failed > shownErrors) print(`… and more, in errors.csv of ${id}.`)
}
