import { soak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, walk, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('lists, card and tag pass axe in every look', within(120), async () => {
    const card = await setting.client.cards.create({ name: 'Spare card', printed_code: 'GH-7' })
    const tag = await setting.client.tags.create({ name: 'Night shift' })
    await checkLooks(setting, '/cards', 'cards')
    await checkLooks(setting, `/cards/${card.id}`, 'card')
    await checkLooks(setting, '/tags', 'tags')
    await checkLooks(setting, `/tags/${tag.id}`, 'tag')
  })

  test('a card is added, handed to a member, taken back, and handed over again by an undo', async () => {
    const member = await setting.client.members.create({ name: 'Carla Card' })
    const page = await setting.open('/cards?new')
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Blue card')
    await form.getByRole('textbox', { name: 'UID' }).fill('12')
    await form.getByRole('button', { name: 'Add card' }).click()
    await form.getByText(/4, 7 or 10 bytes/).waitFor()
    await form.getByRole('textbox', { name: 'UID' }).fill('04a1b2c3')
    await form.getByRole('textbox', { name: 'Printed code' }).fill('GH-0042')
    await form.getByRole('button', { name: 'Add card' }).click()
    await page.getByRole('heading', { name: 'Blue card' }).waitFor()
    await page.getByText('04A1B2C3').waitFor()
    await page.getByRole('combobox', { name: 'Member' }).fill('Carla')
    await page.getByRole('option', { name: 'Carla Card' }).click()
    await page.getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('link', { name: 'Carla Card' }).waitFor()
    await checkPage(page, `card-held-${width}`)
    const held = async () => (await setting.client.member_cards.list(member.id)).data.length
    await expect.poll(held).toBe(1)
    await page.getByRole('button', { name: 'Unassign' }).click()
    await page.getByRole('combobox', { name: 'Member' }).waitFor()
    await expect.poll(held).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Carla Card' }).waitFor()
    await expect.poll(held).toBe(1)
    await page.goto(`${setting.url}/o/${setting.organization_id}/cards?q=GH-0042`)
    await page.getByRole('link', { name: 'Blue card' }).waitFor()
    await page.getByText('Carla Card').waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('a lost card is replaced in four clicks, is not offered again, nor a given one, and is found', async () => {
    const member = await setting.client.members.create({ name: 'Lea Lost' })
    const old = await setting.client.member_cards.create(member.id, { uid: '04B0B0B1' })
    await setting.client.cards.create({ uid: '04B0B0B3' })
    const page = await setting.open(`/members/${member.id}`)
    await page.getByRole('button', { name: 'Replace 04B0B0B1' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Or UID' }).fill('04b0b0b2')
    await form.getByRole('textbox', { name: 'How it was lost' }).fill('On the bus')
    await checkPage(page, `card-replace-${width}`)
    await form.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByRole('button', { name: 'Replace 04B0B0B2' }).waitFor()
    expect(await setting.client.cards.get(old.card_id)).toMatchObject({
      is_lost: true,
      lost_reason: 'On the bus',
    })

    await page.getByRole('button', { name: 'Replace 04B0B0B2' }).click()
    await form.getByRole('combobox', { name: 'Or existing card' }).click()
    await page.getByRole('option', { name: '04B0B0B3' }).waitFor()
    expect(await page.getByRole('option', { name: /04B0B0B[12]/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })

    await walk(page, setting, `/cards/${old.card_id}`)
    await page.getByText('On the bus').waitFor()
    expect(await page.getByRole('button', { name: 'Assign' }).count()).toBe(0)
    await checkPage(page, `card-lost-${width}`)
    await page.getByRole('button', { name: 'Found' }).click()
    await page.getByRole('button', { name: 'Assign' }).waitFor()
    await page.getByRole('button', { name: 'Lost' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Assign' }).waitFor()
    await expect.poll(async () => (await setting.client.cards.get(old.card_id)).is_lost).toBe(false)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('a tag has a colour and kinds it applies to; deleted, it comes back', async () => {
    const page = await setting.open('/tags?new')
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Lifts')
    await form.getByRole('textbox', { name: 'Color' }).fill('#cc3300')
    await page.keyboard.press('Tab')
    await form.getByRole('checkbox', { name: 'Members' }).uncheck()
    await form.getByRole('checkbox', { name: 'Groups' }).uncheck()
    await form.getByRole('button', { name: 'Create tag' }).click()
    await page.getByRole('link', { name: 'Lifts' }).click()
    const tag = (await setting.client.tags.list({ q: 'Lifts' })).data[0]
    expect(tag).toMatchObject({ color: '#cc3300', applies_to: ['site', 'device', 'gadget'] })
    await form.getByRole('button', { name: 'Delete tag' }).click()
    await page.getByRole('link', { name: 'Lifts' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Lifts' }).waitFor()
    await setting.client.tags.delete(String(tag?.id))
    await walk(page, setting, `/tags/${tag?.id}`)
    await form.getByRole('button', { name: 'Restore' }).click()
    await form.getByRole('button', { name: 'Delete tag' }).waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })
})
