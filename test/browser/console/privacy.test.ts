import { within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLooks, checkPage, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('privacy and the record pass axe in every look', within(120), async () => {
    await checkLooks(setting, '/privacy', 'privacy')
    await checkLooks(setting, '/privacy/record', 'privacy-record')
  })

  test('an owner chooses what is usual, sees what it would remove, and undoes it', async () => {
    const page = await setting.open('/privacy')
    await page.getByText('Nothing expires').waitFor()
    await page.getByRole('combobox', { name: 'Begin with' }).click()
    await page.getByRole('option', { name: 'France (90 days)' }).click()
    await expect.poll(() => page.getByLabel('Who used a door').inputValue()).toBe('90 days')
    await page.getByText('Nothing is so old yet').waitFor()
    await page.getByLabel('Uses of doors').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('cannot be deleted before they lose their member').first().waitFor()
    await page.getByLabel('Uses of doors').fill('120')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A change is about to take effect').waitFor()
    expect((await setting.client.organization.get()).privacy).toMatchObject({
      access_days: 90,
      access_delete_days: 120,
    })
    await checkPage(page, 'privacy-pending')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Nothing expires').waitFor()
    expect(await setting.client.organization.get()).toMatchObject({
      privacy: { access_days: null },
      privacy_pending: null,
    })
    await page.close()
  })
})
