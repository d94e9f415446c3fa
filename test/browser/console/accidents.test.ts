import { soak } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

/** A stray click or key press must not lose data. */
describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  soak('typing into a chosen zone replaces it, the best match comes first and Enter takes it', async () => {
    const page = await setting.open('/sites?new')
    const form = page.getByRole('dialog')
    const zone = form.getByRole('combobox', { name: 'Time zone' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Typed')
    await zone.click()
    await page.keyboard.type('lis')
    await expect.poll(() => zone.inputValue()).toBe('lis')
    await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Europe/Lisbon')
    await page.keyboard.press('Enter')
    await expect.poll(() => zone.inputValue()).toBe('Europe/Lisbon')
    await zone.click()
    await page.keyboard.type('no such place')
    await page.keyboard.press('Enter')
    await page.getByText('No matching time zones').waitFor()
    expect((await setting.client.sites.list({ q: 'Typed' })).data).toEqual([])
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Create site' }).click()
    await page.getByRole('heading', { name: 'Typed', exact: true }).waitFor()
    const [site] = (await setting.client.sites.list({ q: 'Typed' })).data
    expect(site?.timezone).toBe('Europe/Lisbon')
    await page.close()
  })

  test('doors that are found by their names are taken with Enter', async () => {
    const [group] = (await setting.client.member_groups.list({ q: 'Cleaning' })).data
    const page = await setting.open(`/groups/${group?.id}`)
    await page.getByRole('button', { name: 'Add rule' }).click()
    const form = page.getByRole('dialog')
    await form.getByText('Doors', { exact: true }).click()
    const door = form.getByRole('combobox', { name: 'Doors' })
    for (const [typed, chosen] of [
      ['front', 'Front door'],
      ['pool', 'Pool'],
    ] as const) {
      await door.click()
      await page.keyboard.type(typed)
      await page.getByRole('option', { name: chosen }).waitFor()
      await page.keyboard.press('Enter')
      await form.locator('.mantine-Pill-label', { hasText: chosen }).waitFor()
    }
    await form.getByText('access to 2 doors').waitFor()
    await page.close()
  })

  test('a new rule opens nothing until it is said what', async () => {
    const [group] = (await setting.client.member_groups.list({ q: 'Cleaning' })).data
    const page = await setting.open(`/groups/${group?.id}`)
    await page.getByRole('button', { name: 'Add rule' }).click()
    const form = page.getByRole('dialog')
    expect(await form.getByRole('radio', { checked: true }).count()).toBe(0)
    await form.getByRole('button', { name: 'Save rule' }).click()
    await form.getByText('Choose what the rule gives access to').waitFor()
    expect((await setting.client.member_groups.get(group?.id as string)).permissions).toEqual(
      group?.permissions,
    )
    await form.getByText('Everything').click()
    await form.getByText('Choose what the rule gives access to').waitFor({ state: 'detached' })
    await form.getByRole('button', { name: 'Save rule' }).click()
    await page.getByText('everything at every site').waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('a latitude that does not exist is refused, not moved', async () => {
    const page = await setting.open('/sites?new')
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Nowhere')
    await form.getByRole('textbox', { name: 'Latitude' }).fill('999')
    await form.getByRole('textbox', { name: 'Longitude' }).fill('10')
    await form.getByRole('button', { name: 'Create site' }).click()
    await form.getByText('Must be a number from -90 to 90, not 999').waitFor()
    expect(await form.getByRole('textbox', { name: 'Latitude' }).inputValue()).toBe('999')
    expect((await setting.client.sites.list({ q: 'Nowhere' })).data).toEqual([])
    await page.close()
  })

  soak('a click beside a form keeps what was typed, and closes one in which nothing was', async () => {
    const page = await setting.open('/sites?new')
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Half a name')
    await page.mouse.click(3, 400)
    await page.keyboard.press('Escape')
    expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Half a name')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
    await page.close()
    const untouched = await setting.open('/sites?new')
    await untouched.getByRole('dialog').waitFor()
    await untouched.mouse.click(3, 400)
    await untouched.getByRole('dialog').waitFor({ state: 'detached' })
    await untouched.close()
  })
})
