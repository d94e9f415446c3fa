import { isSoak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobTypes } from '../../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../../packages/server/src/services/jobs/run-jobs.ts'
import { checkPage, openSetting, type Setting, widths, widthsFor } from './setting.ts'

const owned = new AsyncDisposableStack()
let setting: Setting

beforeAll(async () => {
  setting = owned.use(await openSetting(null))
  owned.use(new JobRunner(setting.world.server.context, jobTypes))
})
afterAll(() => owned.disposeAsync())

describe.each(widths)('on a %s', width => {
  test('members are selected, and their tags changed after the numbers were shown', within(90), async () => {
    const { client } = setting
    const tag = await client.tags.create({ name: `Course ${width}` })
    for (const name of ['Ada', 'Eve', 'Max']) await client.members.create({ name: `${name} ${width}` })
    const page = await setting.open(`/members?q=${width}`, width)
    await page.getByRole('checkbox', { name: `Select Ada ${width}` }).check()
    await page.getByRole('checkbox', { name: `Select Max ${width}` }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('2 selected').waitFor()
    await checkPage(page, `selection-${width}`)
    await bar.getByRole('button', { name: 'Tags' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tags', { exact: true }).click()
    await page.getByRole('option', { name: tag.name }).click()
    await page.keyboard.press('Escape')
    await checkPage(page, `bulk-edit-${width}`)
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByRole('button', { name: 'Change 2 members' }).waitFor()
    expect((await client.members.list({ tag_ids: [tag.id] })).data).toEqual([])
    await checkPage(page, `bulk-numbers-${width}`)
    await dialog.getByRole('button', { name: 'Change 2 members' }).click()
    await page.getByText('2 members changed').waitFor()
    const tagged = (await client.members.list({ tag_ids: [tag.id], sort: 'name:asc' })).data
    expect(tagged.map(({ name }) => name)).toEqual([`Ada ${width}`, `Max ${width}`])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The members are as they were before').waitFor()
    expect((await client.members.list({ tag_ids: [tag.id] })).data).toEqual([])
    await page.close()
  })
})

test.each(widthsFor('desktop'))(
  'all that match are deleted, whether they are shown or not, and nobody else (%s)',
  within(90),
  async width => {
    const { client, world } = setting
    world.clock.advance(60)
    const operations = Array.from({ length: 60 }, (_, at) => ({
      method: 'POST' as const,
      path: '/members',
      body: { name: `${at < 58 ? 'Leaver' : 'Stayer'} of ${width}` },
    }))
    await client.bulk(operations)
    const page = await setting.open(`/members?q=Leaver of ${width}`, width)
    await page.getByRole('checkbox', { name: 'Select all members that are shown' }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByRole('button', { name: 'Select all that match' }).click()
    await bar.getByText('All that match are selected').waitFor()
    await bar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByRole('button', { name: 'Delete 58 members' }).click()
    await page.getByText('58 members deleted').waitFor()
    const left = (await client.members.list({ q: `of ${width}`, limit: 100 })).data
    expect(left.map(({ name }) => name)).toEqual([`Stayer of ${width}`, `Stayer of ${width}`])
    await page.close()
  },
)

test.each(widthsFor('phone'))(
  'groups and dates of members are changed, and brought back (%s)',
  within(90),
  async width => {
    const { client } = setting
    const group = await client.member_groups.create({ name: `Choir ${width}` })
    const names = [`Alt ${width}`, `Bass ${width}`]
    for (const name of names) await client.members.create({ name })
    const page = await setting.open(`/members?q=${width}`, width)
    const dialog = page.getByRole('dialog')
    const select = async (chosen: readonly string[], change: string) => {
      for (const name of chosen) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
      await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: change }).click()
    }
    const confirm = async (count: string) => {
      await dialog.getByRole('button', { name: 'Check' }).click()
      await dialog.getByRole('button', { name: `Change ${count}` }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText(`${count} changed`).last().waitFor()
    }
    const inGroup = async () =>
      (await client.members.list({ member_group_id: group.id, sort: 'name:asc' })).data.map(
        ({ name }) => name,
      )

    await select(names, 'Groups')
    await dialog.getByRole('combobox', { name: 'Groups' }).fill('Choir')
    await page.getByRole('option', { name: group.name }).click()
    await page.keyboard.press('Escape')
    await checkPage(page, `bulk-groups-${width}`)
    await confirm('2 members')
    expect(await inGroup()).toEqual(names)

    if (isSoak) {
      await select(names.slice(0, 1), 'Groups')
      await dialog.getByRole('radio', { name: 'Remove from groups' }).check()
      await dialog.getByRole('combobox', { name: 'Groups' }).fill('Choir')
      await page.getByRole('option', { name: group.name }).click()
      await page.keyboard.press('Escape')
      await confirm('1 member')
      expect(await inGroup()).toEqual(names.slice(1))
    }

    const datesOf = async () =>
      (await client.members.list({ q: `Alt ${width}` })).data.map(({ starts_at, ends_at }) => [
        starts_at,
        ends_at,
      ])
    await select(names.slice(0, 1), 'Dates')
    await dialog.getByText('Without a date, access never ends.').waitFor()
    await dialog.getByLabel('Until', { exact: true }).fill('2035-06-15T12:00')
    await checkPage(page, `bulk-dates-${width}`)
    await confirm('1 member')
    expect(await datesOf()).toEqual([[null, expect.stringMatching(/^2035-06-15/)]])
    // On a phone, the newest notice is the first, on top of the others.
    const undos = page.getByRole('button', { name: 'Undo' })
    await (width === 'phone' ? undos.first() : undos.last()).click()
    await page.getByText('The members are as they were before').waitFor()
    expect(await datesOf()).toEqual([[null, null]])
    await page.close()
  },
)
