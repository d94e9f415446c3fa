import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CsvRecord, parseCsv } from '@gatehouse-access/core'
import { Chance, makeEmptyFolder, seed, soak, type Tenant, within, world } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { countEvents, ended, fileOf, importFile, membersOf } from './importing.ts'
import { addOddPeople } from './odd-people.ts'

const run = promisify(execFile)
const count = 200
/** Of each kind. */
const numbers = 10
/** Comma, double quote, UTF-8. */
const format = '44,34,76'

/** Opens a file in LibreOffice Calc, and saves it as CSV. */
async function save(text: string): Promise<string> {
  await using folder = await makeEmptyFolder()
  const file = join(folder.path, 'members.csv')
  const saved = join(folder.path, 'saved')
  await writeFile(file, text)
  await run('soffice', [
    '--headless',
    `-env:UserInstallation=file://${join(folder.path, 'profile')}`,
    `--infilter=CSV:${format}`,
    '--convert-to',
    `csv:Text - txt - csv (StarCalc):${format}`,
    '--outdir',
    saved,
    file,
  ])
  return readFile(join(saved, 'members.csv'), 'utf8')
}

/** Not what a spreadsheet may take for a number or a time, nor spaces around a text, which it writes without quotes. */
const isKept = (text: string) => text === text.trim() && !/^[\s\da.,/+-]*$/.test(text) && !text.includes('\r')

async function exportMembers(tenant: Tenant): Promise<string> {
  const { id } = await tenant.client.exports.create({ kind: 'members', format: 'csv' })
  return fileOf(tenant, await ended(tenant.client, id), 'members.csv')
}

/** People with a number that a spreadsheet cannot keep: one of many digits, or one that begins with zeros. */
async function addNumbers({ client }: Tenant): Promise<void> {
  const chance = new Chance(seed)
  const digits = (count: number) => Array.from({ length: count }, () => chance.whole(1, 9)).join('')
  for (let at = 0; at < numbers; at++) {
    const external_id = digits(chance.whole(16, 20))
    await client.grants.create({ external_id, member: {}, member_group_ids: [] })
    const credentials = { card: { uid: `00${digits(6)}` } }
    await client.grants.create({ external_id: `Z${at}`, member: {}, member_group_ids: [], credentials })
  }
}

/** Returns the cells that differ, by row and column, but for how a spreadsheet writes a flag. */
function findAltered(written: readonly CsvRecord[], read: readonly CsvRecord[]): unknown[] {
  const [head] = written
  return written.flatMap(({ cells }, row) =>
    cells.flatMap((cell, column) => {
      const now = read[row]?.cells[column]
      return cell === now || (cell === 'false' && now === 'FALSE') ? [] : [[row, head?.cells[column]]]
    }),
  )
}

soak(
  'what LibreOffice has opened and saved changes nothing, but for rows of cells that it altered, which are refused',
  within(300),
  async ({ skip }) => {
    const isThere = await run('soffice', ['--version']).then(
      () => true,
      () => false,
    )
    if (!isThere) skip("there is no soffice: Debian's package libreoffice-calc-nogui has it")
    await using w = await world({ rate_limit: 0 })
    await using _ = new JobRunner(w.server.context, jobTypes)
    const tenant = await w.tenant()
    await addOddPeople(tenant, count, seed, isKept)
    await addNumbers(tenant)
    const exported = await exportMembers(tenant)
    const saved = await save(exported)
    const [events, held] = [await countEvents(tenant), await membersOf(tenant)]
    const [written, read] = [parseCsv(exported), parseCsv(saved)]
    expect(read).toHaveLength(1 + count + 2 * numbers)
    const altered = findAltered(written, read)
    expect(altered.length).toBeGreaterThan(numbers)

    const job = await importFile(tenant, saved)
    const [, ...errors] = parseCsv(await fileOf(tenant, job, 'errors.csv'))
    const rows = new Map(read.map(({ line }, row) => [String(line), row]))
    const refused = errors.map(({ cells }) => [rows.get(cells.at(-3) ?? ''), cells.at(-2)])
    expect(refused).toEqual(altered)
    expect(job.summary).toMatchObject({
      created: 0,
      updated: 0,
      deleted: 0,
      unchanged: count + 2 * numbers - altered.length,
    })
    expect(await countEvents(tenant)).toBe(events)
    expect(await membersOf(tenant)).toEqual(held)
  },
)
