import { readFile } from 'node:fs/promises'
import { holdChanges, within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobTypes } from '../../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../../packages/server/src/services/jobs/run-jobs.ts'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let page: Page

  beforeAll(async () => {
    setting = await openSetting(null, { width })
    await setting.client.members.create({ name: 'Ana' })
    page = await setting.open('/jobs')
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  function runJobs(): JobRunner {
    return new JobRunner(setting.world.server.context, jobTypes)
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const isIn = (state: string) =>
    page.locator('.mantine-Badge-root').getByText(state, { exact: true }).waitFor()
  const namesOf = async (q: string) => (await setting.client.members.list({ q })).data.map(({ name }) => name)

  test('a job that was made elsewhere shows by itself, and its file is fetched', async () => {
    await using _ = runJobs()
    await page.getByText('No jobs yet').waitFor()
    const { id } = await setting.client.exports.create({ kind: 'members', format: 'csv' })
    const row = page.getByRole('row').filter({ hasText: 'Export' })
    await row.getByText('Done').waitFor()
    await checkPage(page, `jobs-${width}`)
    await row.getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Export', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Progress' }).getByText('Olivia Owner').waitFor()
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download members.csv' }).click()
    const text = await readFile(await (await waiting).path(), 'utf8')
    expect(text).toContain('Ana')
    await checkLooks(setting, `/jobs/${id}`, 'job')
    expect(faultsOf(page)).toEqual([])
  })

  test('a dry run is looked at and started, and what it did is undone', within(60), async () => {
    await using _ = runJobs()
    const file = 'external_id,name,email\nX1,Xaver,\nX2,Xenia,wrong@\n'
    const { id } = await setting.client.imports.create(file, { dry_run: true })
    page = await setting.open(`/jobs/${id}`)
    await isIn('Ready to start')
    await page.getByRole('region', { name: 'Rows that change' }).getByText('Xaver').waitFor()
    await page.getByRole('region', { name: 'Rows with problems' }).getByText('"wrong@" is not').waitFor()
    await checkPage(page, `job-dry-run-${width}`)
    expect(await namesOf('Xa')).toEqual([])
    await button('Start now').click()
    await page.getByRole('heading', { name: 'Import', exact: true, level: 1 }).waitFor()
    await isIn('Partly done')
    expect(await namesOf('Xa')).toEqual(['Xaver'])
    await button('Undo').click()
    await page.getByRole('heading', { name: 'Undo: import', level: 1 }).waitFor()
    await isIn('Done')
    expect(await namesOf('Xa')).toEqual([])
    expect(await button('Undo').count()).toBe(0)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test(
    'what has changed since the dry run is not overwritten, and the dry run is canceled',
    within(60),
    async () => {
      await using _ = runJobs()
      const { id } = await setting.client.imports.create('external_id,name\nY1,Yara\n', { dry_run: true })
      page = await setting.open(`/jobs/${id}`)
      await isIn('Ready to start')
      const member = { name: 'Yara by hand' }
      await setting.client.grants.create({ external_id: 'Y1', member, member_group_ids: [] })
      await button('Start now').click()
      await page.getByText('Could not start').waitFor()
      expect(await namesOf('Yara')).toEqual(['Yara by hand'])
      // The notice may cover the button on a phone.
      await page.reload()
      await button('Cancel').click()
      await isIn('Canceled')
      expect(await button('Start now').count()).toBe(0)
      await page.close()
    },
  )

  test(
    'an import goes on when the window that began it is closed, and another one of the same user sees its end',
    within(60),
    async () => {
      const { client, organization_id, url, world } = setting
      const count = 2000
      const rows = Array.from({ length: count }, (_, n) => `T${n},Tabitha ${n}\n`)
      await using _ = runJobs()
      page = await setting.open('/jobs')
      const row = page
        .getByRole('row')
        .filter({ has: page.getByText('Import', { exact: true }) })
        .first()
      // Windows of the setting are kept for reuse when they are closed.
      const first = await page.context().newPage()
      await first.goto(`${url}/o/${organization_id}/members/import`)
      await first.locator('input[type=file]').setInputFiles({
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`external_id,name\n${rows.join('')}`),
      })
      await first.getByRole('button', { name: 'Check members' }).click()
      await first.getByRole('button', { name: /^Import 2,?000 members$/ }).click()
      const running = async () => (await client.jobs.list({ state: 'running' })).data[0]
      await expect.poll(async () => (await running())?.progress.done, { interval: 20 }).toBeGreaterThan(0)
      // However fast the machine is, the import is in its middle when the window goes.
      const release = await holdChanges(world.server.context.db, 'members')
      await row.getByText('Running').waitFor()
      await first.close()
      const left = await running()
      await release()
      expect(left).toMatchObject({ type: 'import', state: 'running', is_dry_run: false })
      expect(left?.progress.done).toBeLessThan(count)
      await row.getByText('Done').waitFor()
      const { state, progress } = await client.jobs.get(left?.id ?? '')
      expect({ state, progress }).toMatchObject({ state: 'succeeded', progress: { done: count, failed: 0 } })
      const [{ imported } = {}] = await world.server.context.db.query<{ imported: number }>(
        `SELECT count(*)::integer AS imported FROM members WHERE organization_id = $1 AND external_id LIKE 'T%'`,
        [organization_id],
      )
      expect(imported).toBe(count)
      expect(faultsOf(page)).toEqual([])
      await page.close()
    },
  )

  test(
    'the bar of a running import leads to it, whatever it imports; it is canceled there, and goes on without the window',
    within(60),
    async () => {
      const { client, world } = setting
      const rows = Array.from({ length: 3 }, (_, n) => `04A1B2C${n},Card ${n}\n`)
      const { id } = await client.imports.create(`uid,name\n${rows.join('')}`, { kind: 'cards' })
      // As if another process led it, so that it runs as long as the test looks.
      await world.server.context.db.query(
        `UPDATE jobs SET state = 'running', owner = 'another', owned_until = now() + interval '1 hour' WHERE id = $1`,
        [id],
      )
      page = await setting.open('/members')
      await page.getByRole('link', { name: /^Import, \d+ % done$/ }).click()
      await page.getByRole('heading', { name: 'Import', exact: true, level: 1 }).waitFor()
      await isIn('Running')
      await checkPage(page, `job-running-${width}`)
      await button('Cancel').click()
      await page.getByText('Canceled', { exact: true }).first().waitFor()
      await page.close()
      await world.server.context.db.query('UPDATE jobs SET owner = NULL WHERE id = $1', [id])
      await using _ = runJobs()
      await expect
        .poll(async () => (await client.jobs.get(id)).state, { timeout: 20_000 })
        .not.toBe('running')
    },
  )
})
