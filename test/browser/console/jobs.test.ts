import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportJob } from '../../../packages/server/src/services/exports/export-job.ts'
import { createJob } from '../../../packages/server/src/services/jobs/create-job.ts'
import { JobRunner } from '../../../packages/server/src/services/jobs/run-jobs.ts'
import { tagJob } from '../../jobs/tag-job.ts'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let page: Page
  /** What a running job waits for. */
  const gate = Promise.withResolvers<void>()

  beforeAll(async () => {
    setting = await openSetting(null, { width })
    const { context } = setting.world.server
    const types = { export: exportJob, import: tagJob(async () => gate.promise) }
    const runner = new JobRunner(context, types)
    runners.defer(() => runner[Symbol.asyncDispose]())
    await setting.client.members.create({ name: 'Ana' })
    page = await setting.open('/jobs')
  })
  const runners = new AsyncDisposableStack()
  afterAll(async () => {
    gate.resolve()
    await runners.disposeAsync()
    await setting[Symbol.asyncDispose]()
  })

  test('a job that was made elsewhere shows by itself, and its file is fetched', async () => {
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

  test('a running job is followed, canceled and undone', async () => {
    const { context } = setting.world.server
    const { organization_id, client } = setting
    const { data } = await client.jobs.list()
    const user_id = data[0]?.created_by.user_id ?? ''
    const job = await context.db.transaction(db =>
      createJob(
        {
          context,
          db,
          now: context.clock.now(),
          caller: {
            organization_id,
            user_id,
            oauth_application_id: undefined,
            scopes: [],
            features: { whitelabel: false },
            subject: () => ({ user_id }),
          },
        },
        { type: 'import', settings: { count: 200, per_batch: 2 } },
      ),
    )
    await page.getByRole('link', { name: 'Jobs', exact: true }).filter({ visible: true }).first().click()
    const row = page.getByRole('row').filter({ hasText: 'Import' })
    await row.getByText('Running').waitFor()
    await row.getByRole('link').first().click()
    await page.getByRole('progressbar', { name: 'How much is done' }).waitFor({ state: 'attached' })
    await checkLooks(setting, `/jobs/${job.id}`, 'job-running')
    await page.getByRole('button', { name: 'Cancel' }).click()
    gate.resolve()
    await page.getByText('Canceled', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Undo: import', level: 1 }).waitFor()
    await page.getByText('Done', { exact: true }).first().waitFor()
    expect((await client.tags.list()).data).toEqual([])
    expect(faultsOf(page)).toEqual([])
  })
})
