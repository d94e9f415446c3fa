import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportJob } from '../../../packages/server/src/services/exports/export-job.ts'
import { JobRunner } from '../../../packages/server/src/services/jobs/run-jobs.ts'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let page: Page

  beforeAll(async () => {
    setting = await openSetting(null, { width })
    const { context } = setting.world.server
    const runner = new JobRunner(context, { export: exportJob })
    runners.defer(() => runner[Symbol.asyncDispose]())
    await setting.client.members.create({ name: 'Ana' })
    page = await setting.open('/jobs')
  })
  const runners = new AsyncDisposableStack()
  afterAll(async () => {
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
})
