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
    await page.getByRole('button', { name: 'Report found' }).click()
    await page.getByRole('button', { name: 'Assign' }).waitFor()
    await page.getByRole('button', { name: 'Report lost' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Assign' }).waitFor()
    await expect.poll(async () => (await setting.client.cards.get(old.card_id)).is_lost).toBe(false)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('a card is reported lost on the page of its member, and given back', async () => {
    const { client } = setting
    const member = await client.members.create({ name: 'Luis Lost' })
    const held = await client.member_cards.create(member.id, { uid: '04B0B0B4' })
    const page = await setting.open(`/members/${member.id}`)
    const credentials = page.getByRole('region', { name: 'Credentials' })
    const report = credentials.getByRole('button', { name: 'Report lost: 04B0B0B4' })
    await report.waitFor()
    await checkPage(page, `card-of-member-${width}`)
    await report.click()
    await report.waitFor({ state: 'detached' })
    const isLost = async () => (await client.cards.get(held.card_id)).is_lost
    expect(await isLost()).toBe(true)
    expect((await client.member_cards.list(member.id)).data).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await report.waitFor()
    expect(await isLost()).toBe(false)
    await credentials.getByRole('link', { name: '04B0B0B4' }).click()
    await page.getByRole('heading', { name: '04B0B0B4' }).waitFor()

    await walk(page, setting, `/members/${member.id}`)
    await report.click()
    await report.waitFor({ state: 'detached' })
    await credentials.getByRole('button', { name: 'Deleted credentials' }).click()
    const gone = credentials.getByRole('list', { name: 'Deleted credentials' })
    await gone.getByText(/^Reported lost on /).waitFor()
    expect(await gone.getByRole('button').count()).toBe(0)
    await checkPage(page, `card-lost-of-member-${width}`)
    await gone.getByRole('link', { name: '04B0B0B4' }).click()
    await page.getByRole('button', { name: 'Report found' }).click()
    await page.getByRole('button', { name: 'Assign' }).waitFor()
    await walk(page, setting, `/members/${member.id}`)
    await credentials.getByRole('button', { name: 'Deleted credentials' }).click()
    await gone.getByRole('button', { name: 'Restore 04B0B0B4' }).click()
    await report.waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test(
    'selected cards are reported lost, once it was said who loses them, and given back',
    within(90),
    async () => {
      const { client } = setting
      const member = await client.members.create({ name: 'Bea Bulk' })
      const held = await client.cards.create({ name: 'Bulk held', uid: '04B0B0C1' })
      await client.member_cards.create(member.id, { card_id: held.id })
      const free = await client.cards.create({ name: 'Bulk free', uid: '04B0B0C2' })
      const lost = await client.cards.create({ name: 'Bulk lost', uid: '04B0B0C3' })
      await client.cards.edit(lost.id, { is_lost: true })
      const page = await setting.open('/cards?q=Bulk')
      await page.getByRole('checkbox', { name: 'Select Bulk free' }).waitFor()
      await page.getByRole('checkbox', { name: 'Select all cards that are shown' }).check()
      const bar = page.getByRole('region', { name: 'Selection' })
      await bar.getByText('3 selected').waitFor()
      await checkPage(page, `cards-selection-${width}`)
      await bar.getByRole('button', { name: 'Report lost' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Who loses a card: Bea Bulk.').waitFor()
      const numbers = await dialog.locator('dl > div').allInnerTexts()
      expect(numbers.map(text => text.replace(/\s+/g, ' '))).toEqual([
        'Selected 3',
        'Will be reported lost 2',
        'Lost or deleted already 1',
      ])
      await checkPage(page, `cards-bulk-${width}`)
      await dialog.getByRole('button', { name: 'Report 2 cards lost' }).click()
      await page.getByText('2 cards reported lost').waitFor()
      await bar.waitFor({ state: 'detached' })
      const areLost = () =>
        Promise.all([held, free, lost].map(async ({ id }) => (await client.cards.get(id)).is_lost))
      expect(await areLost()).toEqual([true, true, true])
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('The cards are as they were before').waitFor()
      expect(await areLost()).toEqual([false, false, true])
      expect((await client.member_cards.list(member.id)).data).toMatchObject([{ card_id: held.id }])
      expect(faultsOf(page)).toEqual([])
      await page.close()
    },
  )

  test('all cards that match are selected, also those that are not shown', within(60), async () => {
    const { client } = setting
    const makeCard = (at: number) =>
      ({
        method: 'POST',
        path: '/cards',
        body: { name: `Batch ${at}`, printed_code: `BATCH-${at}` },
      }) as const
    await client.bulk(Array.from({ length: 60 }, (_, at) => makeCard(at)))
    await client.bulk(Array.from({ length: 60 }, (_, at) => makeCard(60 + at)))
    const page = await setting.open('/cards?q=Batch')
    await page.getByText('120 in total').waitFor()
    await page.getByRole('checkbox', { name: 'Select Batch 119' }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByRole('button', { name: 'Select all that match' }).click()
    await bar.getByText('All that match are selected').waitFor()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete 120 cards' }).click()
    await page.getByText('120 cards deleted').waitFor()
    const left = async () => (await Array.fromAsync(client.cards.all({ q: 'Batch', limit: 100 }))).length
    expect(await left()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The cards are as they were before').waitFor()
    expect(await left()).toBe(120)
    await page.close()
  })

  test('of selected cards those that cannot be deleted are named; the others come back', async () => {
    const { client } = setting
    const kept = await client.cards.create({ name: 'Stack one', uid: '04B0B0D1' })
    const gone = await client.cards.create({ name: 'Stack two', uid: '04B0B0D2' })
    const page = await setting.open('/cards?q=Stack')
    for (const name of ['Stack one', 'Stack two'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Delete 2 cards' })
    await confirm.waitFor()
    await client.cards.edit(kept.id, { is_lost: true })
    await confirm.click()
    await dialog.getByText('Not all cards were changed').waitFor()
    await dialog.getByText(/^Stack one: A lost card is kept/).waitFor()
    await checkPage(page, `cards-not-changed-${width}`)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    const areDeleted = () =>
      Promise.all([kept, gone].map(async ({ id }) => (await client.cards.get(id)).is_deleted))
    expect(await areDeleted()).toEqual([false, true])
    await page.getByText('1 card deleted').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The cards are as they were before').waitFor()
    expect(await areDeleted()).toEqual([false, false])
    await page.close()
  })

  soak('more than a hundred cards are deleted by several requests', within(120), async () => {
    const { client } = setting
    const operations = Array.from({ length: 120 }, (_, at) => ({
      method: 'POST' as const,
      path: '/cards',
      body: { name: `Pile ${at}`, printed_code: `PILE-${at}` },
    }))
    await client.bulk(operations)
    const page = await setting.open('/cards?q=Pile')
    await page.getByText('120 in total').waitFor()
    const bar = page.getByRole('region', { name: 'Selection' })
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 20_000)
        await page.getByRole('checkbox', { name: 'Select all cards that are shown' }).check()
        return bar.getByRole('status').innerText()
      })
      .toBe('120 selected')
    const sent: number[] = []
    const last = Promise.withResolvers<void>()
    await page.route('**/v2/bulk', async route => {
      if (sent.push(route.request().postDataJSON().operations.length) === 4) await last.promise
      await route.continue()
    })
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete 120 cards' }).click()
    await page.getByRole('dialog').getByText('100 of 120').waitFor()
    expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    await checkPage(page, `cards-progress-${width}`)
    last.resolve()
    await page.getByText('120 cards deleted').waitFor()
    expect(sent).toEqual([100, 20, 100, 20])
    expect((await client.cards.list({ q: 'Pile' })).data).toEqual([])
    await page.close()
  })

  test('a suspended card says so in the list', async () => {
    const { client } = setting
    const member = await client.members.create({ name: 'Sue Suspended' })
    const { id } = await client.member_cards.create(member.id, { uid: '04B0B0E1' })
    await client.member_cards.edit(member.id, id, { is_suspended: true })
    const page = await setting.open('/cards?show=suspended')
    await page.getByRole('row', { name: /04B0B0E1.*Sue Suspended.*Card suspended/s }).waitFor()
    await checkPage(page, `cards-suspended-${width}`)
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
