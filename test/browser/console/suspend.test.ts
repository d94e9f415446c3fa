import { within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, faultsOf, openSetting, type Setting, walk, widthsFor } from './setting.ts'

let setting: Setting

beforeAll(async () => {
  setting = await openSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

describe.each(widthsFor('phone'))('on a %s', width => {
  test('a member is suspended with a reason and an end, lifted, and both undone', within(90), async () => {
    const { client } = setting
    const { id } = await client.members.create({ name: `Sue ${width}` })
    const stateOf = async () => {
      const { is_suspended, suspended_reason, suspended_until } = await client.members.get(id)
      return { is_suspended, suspended_reason, suspended_until: suspended_until?.slice(0, 10) ?? null }
    }
    const page = await setting.open(`/members/${id}`, width)
    await page.getByRole('button', { name: 'Suspend', exact: true }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Reason').fill('Lost her bag')
    await form.getByLabel('Until', { exact: true }).fill('2020-01-01T12:00')
    await form.getByText('Choose a time in the future.').waitFor()
    expect(await form.getByRole('button', { name: 'Suspend' }).isDisabled()).toBe(true)
    await form.getByLabel('Until', { exact: true }).fill('2035-06-15T12:00')
    await checkPage(page, `suspend-${width}`, true)
    await form.getByRole('button', { name: 'Suspend' }).click()
    await page.getByText(/Suspended until 15 Jun 2035.*: Lost her bag/).waitFor()
    await page.getByText(/^Suspended: cannot open anything until 15 Jun 2035/).waitFor()
    const suspended = { is_suspended: true, suspended_reason: 'Lost her bag', suspended_until: '2035-06-15' }
    await expect.poll(stateOf).toEqual(suspended)
    await checkPage(page, `suspended-${width}`, true)
    await page.getByRole('button', { name: 'Lift suspension' }).click()
    const lifted = { is_suspended: false, suspended_reason: null, suspended_until: null }
    await expect.poll(stateOf).toEqual(lifted)
    const notice = page.getByRole('alert').filter({ hasText: 'is no longer suspended' })
    await notice.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(stateOf).toEqual(suspended)
    await page.getByText(/Suspended until 15 Jun 2035/).waitFor()
    await page.close()
  })

  test('a PIN is suspended beside others, and a keypad', within(90), async () => {
    const { client } = setting
    const { id } = await client.members.create({ name: `Pia ${width}` })
    const pin = await client.member_pins.create(id, { length: 8 })
    const page = await setting.open(`/members/${id}`, width)
    const credentials = page.getByRole('region', { name: 'Credentials' })
    await credentials.getByRole('button', { name: 'Suspend: 8-digit PIN' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await credentials.getByText('Suspended', { exact: true }).waitFor()
    expect(await client.member_pins.get(id, pin.id)).toMatchObject({ is_suspended: true })
    await credentials.getByRole('button', { name: 'Lift suspension: 8-digit PIN' }).click()
    await credentials.getByRole('button', { name: 'Suspend: 8-digit PIN' }).waitFor()
    expect(await client.member_pins.get(id, pin.id)).toMatchObject({ is_suspended: false })
    await page.close()
    const device = await client.devices.create({
      name: `Keypad ${width}`,
      site_id: (await client.sites.list({ limit: 1 })).data[0]?.id ?? '',
      product_id: 'keypad',
    })
    const other = await setting.open(`/devices/${device.id}`, width)
    await other.getByRole('button', { name: 'Suspend inputs' }).click()
    await other.getByRole('dialog').getByLabel('Reason').fill('Vandalized')
    await other.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await other.getByText('Suspended: Vandalized').waitFor()
    expect(await client.devices.get(device.id)).toMatchObject({ is_suspended: true })
    await checkPage(other, `suspended-device-${width}`)
    await other.getByRole('button', { name: 'Lift suspension' }).click()
    await other.getByRole('button', { name: 'Suspend inputs' }).waitFor()
    expect(await client.devices.get(device.id)).toMatchObject({ is_suspended: false })
    await other.close()
  })

  test(
    'a link, an email, a card and a token are suspended beside others, and lifted',
    within(90),
    async () => {
      const { client } = setting
      const { id } = await client.members.create({ name: `Lou ${width}` })
      const email = `lou-${width}@example.com`
      const uid = { desktop: '04D0D0D1', phone: '04D0D0D2' }[width]
      const link = await client.member_magic_links.create(id, {})
      const mail = await client.member_emails.create(id, { email })
      const card = await client.member_cards.create(id, { uid })
      const token = await client.member_tokens.create(id, {})
      const held = {
        Link: () => client.member_magic_links.get(id, link.id),
        [email]: () => client.member_emails.get(id, mail.id),
        [uid]: () => client.member_cards.get(id, card.id),
        'Mobile SDK token': () => client.member_tokens.get(id, token.id),
      }
      const page = await setting.open(`/members/${id}`, width)
      const credentials = page.getByRole('region', { name: 'Credentials' })
      for (const [name, read] of Object.entries(held)) {
        await credentials.getByRole('button', { name: `Suspend: ${name}` }).click()
        await page.getByRole('dialog').getByLabel('Reason').fill('Left behind')
        await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
        const line = credentials.getByRole('listitem').filter({ hasText: name })
        await line.getByText('Suspended: Left behind').waitFor()
        expect([name, await read()]).toMatchObject([
          name,
          { is_suspended: true, suspended_reason: 'Left behind' },
        ])
      }
      await checkPage(page, `suspended-credentials-${width}`)
      await walk(page, setting, `/cards/${card.card_id}`)
      await page.getByRole('region', { name: 'Assigned to' }).getByText('Suspended: Left behind').waitFor()
      await checkPage(page, `suspended-card-${width}`)
      await walk(page, setting, `/members/${id}`)
      for (const [name, read] of Object.entries(held)) {
        await credentials.getByRole('button', { name: `Lift suspension: ${name}` }).click()
        await credentials.getByRole('button', { name: `Suspend: ${name}`, exact: true }).waitFor()
        expect([name, await read()]).toMatchObject([name, { is_suspended: false }])
      }
      expect((await client.members.get(id)).is_suspended).toBe(false)
      expect(faultsOf(page)).toEqual([])
      await page.close()
    },
  )
})
