import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, openPage, openSetting, type Setting, signedIn, widths } from './setting.ts'

let setting: Setting

beforeAll(async () => {
  setting = await openSetting(null)
  await setting.client.sites.create({ name: 'Madrid', timezone: 'Europe/Madrid' })
})
afterAll(() => setting[Symbol.asyncDispose]())

const at = (path: string) => `${setting.url}/o/${setting.organization_id}${path}`

describe.each(widths)('on a %s', width => {
  test('dates are shown and typed in the language of the console, whatever that of the browser', async () => {
    const { client } = setting
    const member = await client.members.create({ name: `Anna ${width}`, ends_at: '2035-07-01T10:00:00Z' })
    await using context = await signedIn(setting.browser, setting.visitor, {
      locale: 'en-US',
      timezoneId: 'Europe/Madrid',
    })
    await context.addCookies([{ name: 'gatehouse_language', value: 'de', url: setting.url }])
    const page = await openPage(context, at(`/members/${member.id}`), width)
    await page.getByRole('button', { name: 'Bearbeiten', exact: true }).click()
    const form = page.getByRole('dialog')
    const until = form.getByLabel('Bis', { exact: true })
    await expect.poll(() => until.inputValue()).toBe('01.07.2035, 12:00')

    await until.fill('31.6.2035 12:00')
    await form.getByRole('button', { name: 'Speichern' }).click()
    await form.getByText('Schreiben Sie Datum und Uhrzeit wie 14.11.2026, 18:00').waitFor()
    expect((await client.members.get(member.id)).ends_at).toBe('2035-07-01T10:00:00.000000Z')

    await until.fill('2.12.2035 18:30')
    await until.blur()
    expect(await until.inputValue()).toBe('02.12.2035, 18:30')
    await form.getByRole('button', { name: 'Speichern' }).click()
    await expect
      .poll(async () => (await client.members.get(member.id)).ends_at)
      .toBe('2035-12-02T17:30:00.000000Z')
  })

  test('a day is picked with the mouse or with arrows, and its time typed', async () => {
    const { client } = setting
    const member = await client.members.create({ name: `Bea ${width}`, ends_at: '2035-07-31T10:00:00Z' })
    await using context = await signedIn(setting.browser, setting.visitor, { timezoneId: 'Europe/Madrid' })
    const page = await openPage(context, at(`/members/${member.id}`), width)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Edit' })
    const until = form.getByLabel('Until', { exact: true })
    await form.getByRole('button', { name: 'Pick a day: Until' }).click()
    const picker = page.getByRole('dialog', { name: 'Until' })
    await picker.getByText('July 2035').waitFor()
    await checkPage(page, `pick-day-${width}`, true)
    const [field, over] = await Promise.all([until.boundingBox(), picker.boundingBox()])
    expect(field && over && (over.y >= field.y + field.height || over.y + over.height <= field.y)).toBe(true)

    await picker.getByRole('button', { name: 'Thursday 19 July 2035' }).click()
    await expect.poll(() => until.inputValue()).toBe('19 Jul 2035, 12:00')
    for (const key of ['ArrowRight', 'ArrowDown', 'PageDown', 'Enter']) await page.keyboard.press(key)
    await picker.getByText('August 2035').waitFor()
    await expect.poll(() => until.inputValue()).toBe('27 Aug 2035, 12:00')
    await picker.getByLabel('Time').fill('8:15')
    await expect.poll(() => until.inputValue()).toBe('27 Aug 2035, 08:15')
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'hidden' })
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await client.members.get(member.id)).ends_at)
      .toBe('2035-08-27T06:15:00.000000Z')
  })

  test('the dates of a new member go by the clocks of its group, chosen before or after', async () => {
    const { client } = setting
    const tokyo = await client.sites.create({ name: `Tokyo ${width}`, timezone: 'Asia/Tokyo' })
    const name = `Night staff ${width}`
    await client.member_groups.create({ name, permissions: [{ site_id: tokyo.id }] })
    await using context = await signedIn(setting.browser, setting.visitor, { timezoneId: 'Europe/Madrid' })
    const page = await openPage(context, at('/members?new'), width)
    const form = page.getByRole('dialog', { name: 'New member' })
    const until = form.getByLabel('Until', { exact: true })
    await form.getByLabel('Name').fill(`Ken ${width}`)
    await form.getByText('Europe/Madrid').first().waitFor()
    await until.fill('1 Jul 2035, 19:00')
    await form.getByLabel('Groups').click()
    await page.getByRole('option', { name }).click()
    await page.keyboard.press('Escape')
    await form
      .getByText(/^Asia\/Tokyo/)
      .first()
      .waitFor()
    await expect.poll(() => until.inputValue()).toBe('1 Jul 2035, 19:00')
    await form.getByRole('button', { name: 'Add member' }).click()
    await expect
      .poll(async () => (await client.members.list({ q: `Ken ${width}` })).data[0]?.ends_at)
      .toBe('2035-07-01T10:00:00.000000Z')
    await client.sites.delete(tokyo.id, { cascade: true })
  })
})
