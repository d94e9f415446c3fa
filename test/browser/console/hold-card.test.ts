import { within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let reader: { readonly id: string; readonly name: string }
  let door: { readonly id: string }

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    const { client } = setting
    const site = await client.sites.create({ name: 'Back office', timezone: 'Europe/Madrid' })
    const controller = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
    reader = await client.devices.create({ name: 'Desk reader', site_id: site.id, product_id: 'keypad' })
    door = await client.gadgets.create({ name: 'Store room', device_id: controller.id })
    await client.devices.edit(reader.id, {
      input_rules: [{ code: '', gadget_id: door.id, action_id: 'open' }],
    })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  const tap = (uid: string) => setting.client.devices.simulate(reader.id, { card: { uid } })

  async function chooseReader(page: Page): Promise<void> {
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Hold the card to a reader' }).click()
    await form.getByRole('combobox', { name: 'Reader' }).click()
    await page.getByRole('option', { name: 'Desk reader' }).click()
    await form.getByText('Hold the card to the reader now.').waitFor()
  }

  test('a card is given to a member by holding it to a reader', within(90), async () => {
    const member = await setting.client.members.create({ name: 'Ada' })
    const page = await setting.open(`/members/${member.id}`)
    const credentials = page.getByRole('region', { name: 'Credentials' })
    await credentials.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('menuitem', { name: 'Card' }).click()
    const form = page.getByRole('dialog')
    await chooseReader(page)
    await checkPage(page, `hold-card-${width}`)
    await tap('04ABCDEF010203')
    await form.getByText('Read: 04ABCDEF010203').waitFor()
    expect(await form.getByLabel('Or UID').inputValue()).toBe('04ABCDEF010203')
    await form.getByRole('button', { name: 'Add' }).click()
    await credentials.getByText('04ABCDEF010203').waitFor()
    await page.close()
  })

  test('a card is added for nobody yet by holding it to a reader', within(90), async () => {
    const page = await setting.open('/cards?new')
    const form = page.getByRole('dialog')
    await chooseReader(page)
    await tap('04AAAAEF010203')
    await form.getByText('Read: 04AAAAEF010203').waitFor()
    await expect.poll(() => form.getByRole('textbox', { name: 'UID' }).inputValue()).toBe('04AAAAEF010203')
    await checkPage(page, `hold-new-card-${width}`)
    await form.getByRole('button', { name: 'Add card' }).click()
    await page.getByRole('heading', { name: '04AAAAEF010203' }).waitFor()
    await page.close()
  })

  test('the unknown card of a denial is given to a member', within(90), async () => {
    const member = await setting.client.members.create({ name: 'Grace Hopper' })
    await tap('04FFFFC3D4E5F6')
    const { data } = await setting.client.events.list({ 'object.gadget_id': door.id, limit: 1 })
    const page = await setting.open(`/events/${data[0]?.id}`)
    await page.getByText('The card 04FFFFC3D4E5F6 belongs to nobody.').waitFor()
    await checkPage(page, `give-card-${width}`)
    await page.getByRole('button', { name: 'Give it to a member' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('combobox', { name: 'Member' }).click()
    await form.getByRole('combobox', { name: 'Member' }).fill('Grace')
    await page.getByRole('option', { name: 'Grace Hopper' }).click()
    await form.getByRole('button', { name: 'Give' }).click()
    await form.waitFor({ state: 'detached' })
    const cards = await setting.client.member_cards.list(member.id)
    expect(cards.data.map(({ uid }) => uid)).toEqual(['04FFFFC3D4E5F6'])
    await page.close()
  })
})
