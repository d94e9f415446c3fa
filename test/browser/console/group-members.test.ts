import { soak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting
  let group_id: string

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    group_id = (await setting.client.member_groups.list({ q: 'Cleaning' })).data[0]?.id as string
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  soak('the page of a group passes axe in every look', within(120), async () => {
    await checkLooks(setting, `/groups/${group_id}`, 'group')
  })

  test('members are added to a group for a time, found, taken out and brought back; both pages link each other', async () => {
    const { id } = await setting.client.members.create({ name: 'Nora Night' })
    await setting.client.members.create({ name: 'Dan Day' })
    const page = await setting.open(`/groups/${group_id}`)
    const table = page.getByRole('table', { name: 'Group members' })
    await table.getByText('Cleaning team').waitFor()
    await page.getByRole('button', { name: 'Add members' }).click()
    const form = page.getByRole('dialog')
    expect(await form.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true)
    for (const name of ['Nora Night', 'Dan Day']) {
      await form.getByLabel('Members').fill(name)
      await page.getByRole('option', { name }).click()
    }
    await form.getByLabel('From', { exact: true }).fill('2030-01-01T10:00')
    await form.getByLabel('Until', { exact: true }).fill('2029-01-01T10:00')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByText(/not be before the start/).waitFor()
    await form.getByLabel('Until', { exact: true }).fill('2031-01-01T10:00')
    await checkPage(page, `group-add-members-${width}`)
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    const row = table.getByRole('row').filter({ hasText: 'Nora Night' })
    // The dates are in their own column, or below the name on narrow screens.
    await row
      .getByText(/from .*2030.* until .*2031/)
      .filter({ visible: true })
      .waitFor()
    await table.getByText('Dan Day').waitFor()

    await page.getByLabel('Search this group').fill('nora')
    await table.getByText('Cleaning team').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove Nora Night from the group' }).click()
    await page.getByText('No members found for “nora”').waitFor()
    await expect.poll(async () => (await setting.client.member_group_associations.list(id)).data).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()

    await row.getByRole('link', { name: 'Nora Night' }).click()
    await page.getByRole('heading', { name: 'Nora Night' }).waitFor()
    await page.getByRole('region', { name: 'Groups' }).getByRole('link', { name: 'Cleaning' }).click()
    await page.getByRole('heading', { name: 'Cleaning', exact: true }).waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('a group of many is loaded page by page, with few rows in the document', async () => {
    const { id: member_group_id } = await setting.client.member_groups.create({ name: 'Many' })
    const numbers = Array.from({ length: 150 }, (_, index) => String(index).padStart(3, '0'))
    for (let at = 0; at < numbers.length; at += 20)
      await Promise.all(
        numbers.slice(at, at + 20).map(async number => {
          const { id } = await setting.client.members.create({ name: `Runner ${number}` })
          await setting.client.member_group_associations.create(id, { member_group_id })
        }),
      )
    const page = await setting.open(`/groups/${member_group_id}`)
    const asked: URL[] = []
    page.on('request', request => {
      const url = new URL(request.url())
      if (url.pathname === '/v2/members') asked.push(url)
    })
    const rows = page.getByRole('table', { name: 'Group members' }).locator('.rows-body > .row')
    await rows.first().waitFor()
    expect(asked.length).toBeLessThanOrEqual(2)
    const last = rows.filter({ hasText: /Runner 00\d/ })
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        return last.count()
      })
      .toBeGreaterThan(0)
    expect(await rows.count()).toBeLessThan(60)
    expect(asked.every(({ searchParams }) => Number(searchParams.get('limit')) <= 100)).toBe(true)
    expect(asked.length).toBeLessThanOrEqual(6)
    await page.close()
  })
})
