import { within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, faultsOf, openSetting, type Setting, walk, widthsFor } from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  async function makeCleaner() {
    const { client } = setting
    const door = (await client.gadgets.list({ q: 'Front door' })).data[0]?.id as string
    const pool = (await client.gadgets.list({ q: 'Pool' })).data[0]?.id as string
    const [hours] = (await client.schedules.list({ q: 'Cleaning hours' })).data
    const group = await client.member_groups.create({
      name: 'Window cleaners',
      permissions: [{ gadget_id: door }, { gadget_id: pool, schedule_id: hours?.id as string }],
    })
    const member = await client.members.create({ name: 'Wanda Window' })
    await client.member_group_associations.create(member.id, { member_group_id: group.id })
    return { door, pool, group, member }
  }

  test(
    'a member’s page lists the doors, a door’s page the people, by which rule and when; deleting says who loses what',
    within(60),
    async () => {
      const { client } = setting
      const { pool, group, member } = await makeCleaner()
      const page = await setting.open(`/members/${member.id}`)
      const doors = page.getByRole('table', { name: 'Doors of the member' })
      // Rows far below the window are not in the page.
      await doors.scrollIntoViewIfNeeded()
      const row = doors.getByRole('row').filter({ hasText: 'Pool' })
      await row.getByText('Mon to Fri 08:00 to 18:00').waitFor()
      await row.getByText('rule 2').waitFor()
      await doors.getByRole('row').filter({ hasText: 'Front door' }).getByText('At all times').waitFor()
      await checkPage(page, `member-doors-${width}`, true)

      await walk(page, setting, `/gadgets/${pool}`)
      const people = page.getByRole('table', { name: 'Members with access' })
      await people.scrollIntoViewIfNeeded()
      const person = people.getByRole('row').filter({ hasText: 'Wanda Window' })
      await person.getByText('Mon to Fri 08:00 to 18:00').waitFor()
      await checkPage(page, `door-people-${width}`, true)

      await person.getByRole('link', { name: 'Window cleaners' }).click()
      await page.getByRole('heading', { name: 'Window cleaners' }).waitFor()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('1 member in 1 group may lose access to 2 doors').waitFor()
      await checkPage(page, `group-delete-${width}`, true)
      expect((await client.member_groups.get(group.id)).is_deleted).toBe(false)
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await expect.poll(async () => (await client.member_groups.get(group.id)).is_deleted).toBe(true)
      await walk(page, setting, `/groups/${group.id}`)
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.getByRole('button', { name: 'Add rule' }).waitFor()
      await expect.poll(async () => (await client.member_groups.get(group.id)).is_deleted).toBe(false)
      expect(faultsOf(page)).toEqual([])
      await page.close()
    },
  )

  test('a rule with two doors becomes two rules at once, and says before whom it concerns', async () => {
    const { client } = setting
    const { id } = await client.member_groups.create({ name: 'Night shift' })
    const heirs = await client.member_groups.create({
      name: 'Night managers',
      permissions: [{ member_group_id: id }],
    })
    for (const [name, member_group_id] of Object.entries({ Nora: id, Nils: id, Nela: heirs.id }))
      await client.grants.create({ member: { name }, member_group_ids: [member_group_id] })
    const page = await setting.open(`/groups/${id}`)
    await page.getByRole('button', { name: 'Add rule' }).click()
    const form = page.getByRole('dialog')
    await form.getByText('Nothing is chosen yet').waitFor()
    await form.getByRole('button', { name: 'Save rule' }).click()
    await form.getByText('Choose what the rule gives access to').waitFor()
    await form.getByText('Doors', { exact: true }).click()
    for (const name of ['Front door', 'Pool']) {
      await form.getByRole('combobox', { name: 'Doors' }).fill(name)
      await page.getByRole('option', { name }).click()
    }
    const reach = form.getByRole('status').filter({ hasText: 'access to' })
    await expect
      .poll(() => reach.textContent())
      .toBe('Gives 3 members access to 2 doors, at any time, by any method.')
    await checkPage(page, `rule-two-doors-${width}`, true)
    expect((await client.member_groups.get(id)).permissions).toEqual([])
    await form.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('region', { name: 'Rules' }).getByText('Pool').waitFor()
    expect((await client.member_groups.get(id)).permissions).toHaveLength(2)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('a rule gives one site, then several: each becomes a rule, and is counted before', async () => {
    const { client } = setting
    const { id } = await client.member_groups.create({ name: 'Inspectors' })
    const sites = [(await client.sites.list({ q: 'Madrid' })).data[0], await makeAnnex()]
    const page = await setting.open(`/groups/${id}`)
    const form = page.getByRole('dialog')
    const rules = page.getByRole('region', { name: 'Rules' })
    const choose = async (names: readonly string[]) => {
      await page.getByRole('button', { name: 'Add rule' }).click()
      await form.getByText('Sites', { exact: true }).click()
      for (const name of names) {
        await form.getByRole('combobox', { name: 'Sites' }).fill(name)
        await page.getByRole('option', { name }).click()
      }
      await page.keyboard.press('Tab')
    }
    const siteRules = async () =>
      (await client.member_groups.get(id)).permissions.map(({ site_id }) => site_id)

    await choose(['Annex'])
    await form.getByRole('status').getByText('access to 1 door').waitFor()
    await form.getByRole('button', { name: 'Save rule' }).click()
    await rules.getByText('Annex').waitFor()
    expect(await siteRules()).toEqual([sites[1]?.id])

    const of_first = { site_id: sites[0]?.id ?? '', limit: 1, with_count: true } as const
    const all = ((await client.gadgets.list(of_first)).count ?? 0) + 1
    await choose(['Miramar Madrid', 'Annex'])
    await form.getByRole('status').getByText(`access to ${all} doors`).waitFor()
    await checkPage(page, `rule-two-sites-${width}`, true)
    await form.getByRole('button', { name: 'Save rule' }).click()
    await rules.getByText('Miramar Madrid').waitFor()
    expect(await siteRules()).toEqual([sites[1]?.id, sites[0]?.id, sites[1]?.id])
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  /** A second site, with one door. */
  async function makeAnnex() {
    const { client } = setting
    const site = await client.sites.create({ name: 'Annex', timezone: 'Europe/Madrid' })
    const product_id = 'controller'
    const device = await client.devices.create({ name: 'Annex box', site_id: site.id, product_id })
    await client.gadgets.create({ name: 'Annex door', device_id: device.id })
    return site
  }

  test('a chosen object never shows its id while its name is loading', async () => {
    const { client } = setting
    const { id } = await client.member_groups.create({ name: 'Slow names' })
    const member = await client.members.create({ name: 'Mona Mole' })
    const page = await setting.open(`/groups/${id}`)
    const held = Promise.withResolvers<void>()
    await page.route(`**/v2/members/${member.id}`, async route => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Add members' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Members').fill('Mona')
    await page.getByRole('option', { name: 'Mona Mole' }).click()
    await form.getByLabel('Members').fill('Someone else')
    // At once, while the service is asked.
    expect(await form.locator('.mantine-Pill-label').allTextContents()).toEqual(['Mona Mole'])
    await page.getByText('No results').waitFor()
    expect(await form.locator('.mantine-Pill-label').allTextContents()).toEqual(['Mona Mole'])
    const answered = page.waitForResponse(`**/v2/members/${member.id}`)
    held.resolve()
    await answered
    await page.close()
  })

  test('the name of what is chosen arrives late and leaves what is typed', async () => {
    const { client } = setting
    const [from, to] = [
      await client.sites.create({ name: `Sines ${width}`, timezone: 'Europe/Lisbon' }),
      await client.sites.create({ name: `Tavira ${width}`, timezone: 'Europe/Lisbon' }),
    ]
    const device = await client.devices.create({
      name: 'Box',
      site_id: from.id,
      product_id: 'controller',
    })
    const page = await setting.open(`/devices/${device.id}`)
    const held = Promise.withResolvers<void>()
    await page.route(/\/v2\/sites(\?|\/)/, async route => {
      if (!route.request().url().includes('Tavira')) await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.getByRole('dialog')
    const site = form.getByRole('combobox', { name: 'Site' })
    await site.fill(to.name)
    const answered = page.waitForResponse(`**/v2/sites/${from.id}`)
    held.resolve()
    await answered
    await page.waitForTimeout(300)
    expect(await site.inputValue()).toBe(to.name)
    await page.getByRole('option', { name: to.name }).click()
    await expect.poll(() => site.inputValue()).toBe(to.name)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await client.devices.get(device.id)).site_id).toBe(to.id)
    await page.close()
  })

  test('times over midnight are split', async () => {
    const { client } = setting
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [] }))
    const { id } = await client.schedules.create({ name: 'Nights', weekdays })
    const page = await setting.open(`/schedules/${id}`)
    await page.getByRole('textbox', { name: 'Sunday' }).fill('22:00-06:00')
    await page.getByText('Goes on until 06:00 on Monday').waitFor()
    await page.getByRole('textbox', { name: 'Sunday' }).blur()
    await expect.poll(() => page.getByRole('textbox', { name: 'Monday' }).inputValue()).toBe('00:00-06:00')
    await checkPage(page, `schedule-night-${width}`, true)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await client.schedules.get(id)).weekdays[0]?.ranges)
      .toEqual([{ start: 0, end: 21_600 }])
    expect((await client.schedules.get(id)).weekdays[6]?.ranges).toEqual([{ start: 79_200, end: 86_400 }])
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })
})
