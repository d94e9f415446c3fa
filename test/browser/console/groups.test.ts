import { soak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  async function groupId(name: string): Promise<string> {
    return (await setting.client.member_groups.list({ q: name })).data[0]?.id as string
  }

  test('list, group and question pass axe in every look', within(120), async () => {
    await checkLooks(setting, '/groups', 'groups')
    await checkLooks(setting, `/groups/${await groupId('Madrid guests')}`, 'group')
    await checkLooks(setting, '/groups/who', 'who')
  })

  test('rules are told in words', async () => {
    const page = await setting.open(`/groups/${await groupId('Cleaning')}`)
    const rule = page.getByRole('region', { name: 'Rules' }).getByRole('listitem')
    await expect
      .poll(async () => (await rule.first().textContent())?.replaceAll(/\s+/g, ' '))
      .toMatch(
        /Anyone in Cleaning can use everything at Miramar Madrid, Mon to Fri 08:00 to 18:00, not on holidays .*\(Cleaning hours\), by PIN or card/,
      )
    await page.goto(page.url().replace(/mg_\w+/, await groupId('Staff')))
    await page.getByText('use everything that').waitFor()
    expect((await rule.first().textContent())?.replaceAll(/\s+/g, ' ')).toContain(
      'Anyone in Staff can use everything that Cleaning can',
    )
    await page.close()
  })

  test('a group is made, gets a rule of every kind, loses one and gets it back', async () => {
    const page = await setting.open('/groups?new')
    await page.getByRole('dialog').getByLabel('Name').fill('Gardeners')
    await page.getByRole('button', { name: 'Create group' }).click()
    // A group without a rule opens nothing, so its first rule comes next.
    const form = page.getByRole('dialog', { name: 'New rule' })
    const focused = form.locator(':focus')
    await expect.poll(() => focused.getAttribute('value')).toBe('everything')
    await form.getByText('Doors', { exact: true }).click()
    await form.getByRole('combobox', { name: 'Doors' }).fill('front')
    await page.getByRole('option', { name: 'Front door' }).click()
    // The list stays open, for more doors.
    await page.keyboard.press('Tab')
    await form.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Open' }).click()
    await form.getByRole('combobox', { name: 'Schedule' }).click()
    await page.getByRole('option', { name: 'Cleaning hours' }).click()
    const near = form.getByRole('switch', { name: /Phone must be near the site/ })
    await near.check()
    await form.getByRole('switch', { name: 'All methods' }).uncheck()
    // Phones are not among the methods, so that it means nothing until they are. It is kept.
    await expect.poll(() => near.isDisabled()).toBe(true)
    await checkPage(page, `rule-editor-${width}`)
    await form.getByRole('button', { name: 'Save rule' }).click()
    const rules = page.getByRole('region', { name: 'Rules' })
    await rules.getByRole('listitem').getByText('Front door').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) as string
    const front = (await setting.client.gadgets.list({ q: 'Front' })).data[0]?.id
    await expect
      .poll(async () => (await setting.client.member_groups.get(id)).permissions)
      .toMatchObject([
        {
          gadget_id: front,
          action_id: 'open',
          presence: 'gps',
          access_methods: { pin: true, card: true, online: false },
        },
      ])
    await page.getByRole('button', { name: 'Add rule' }).click()
    await form.getByRole('combobox', { name: 'Also grant another group’s access' }).click()
    await page.getByRole('option', { name: 'Staff' }).click()
    await form
      .getByRole('status')
      .getByText(/up to \d+ doors/)
      .waitFor()
    await form.getByRole('button', { name: 'Save rule' }).click()
    await rules.getByText('use everything that').waitFor()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await form.getByText('Tags', { exact: true }).click()
    await form.getByRole('combobox', { name: 'Doors with a tag' }).fill('outdoor')
    await page.getByRole('option', { name: 'Outdoor' }).click()
    await page.keyboard.press('Tab')
    await form
      .getByRole('status')
      .getByText(/access to 1 door/)
      .waitFor()
    await checkPage(page, `rule-by-tag-${width}`)
    await form.getByRole('button', { name: 'Save rule' }).click()
    await rules.getByText('every door tagged Outdoor').waitFor()
    await rules.getByRole('button', { name: 'Delete rule 1' }).click()
    await rules.getByText('Front door').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await rules.getByText('Front door').waitFor()
    const permissions = async () => (await setting.client.member_groups.get(id)).permissions
    await expect.poll(permissions).toHaveLength(3)

    // Each undo brings back the rule that it is about, and no other.
    const before = await permissions()
    await rules.getByRole('button', { name: 'Delete rule 1' }).click()
    await rules.getByText('Front door').waitFor({ state: 'detached' })
    // On a phone, the notice may cover it.
    await rules.getByRole('button', { name: 'Delete rule 1' }).press('Enter')
    await rules.getByText('use everything that').waitFor({ state: 'detached' })
    const undo = (notice: string) =>
      page.getByRole('alert').filter({ hasText: notice }).getByRole('button', { name: 'Undo' }).click()
    await undo('Rule for Front door deleted')
    await rules.getByText('Front door').waitFor()
    expect(await permissions()).toEqual([before[0], before[2]])
    await undo('Rule for Staff deleted')
    await rules.getByText('use everything that').waitFor()
    expect(await permissions()).toEqual(before)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('a circle of groups is refused with its reason', async () => {
    const page = await setting.open(`/groups/${await groupId('Cleaning')}`)
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('combobox', { name: 'Also grant another group’s access' }).click()
    await page.getByRole('option', { name: 'Staff' }).click()
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByText('Could not save the rule').waitFor()
    await page.close()
  })

  test('who may open by card, and has none, is told apart', async () => {
    const { client } = setting
    const pool = (await client.gadgets.list({ q: 'Pool' })).data[0]?.id as string
    const member = await client.members.create({ name: 'Carla Cardless' })
    await client.member_group_associations.create(member.id, { member_group_id: await groupId('Cleaning') })
    const page = await setting.open(
      `/groups/who?gadget_id=${pool}&at=2026-11-23T11:00:00Z&access_method=card`,
    )
    const rowOf = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await rowOf('Carla Cardless').getByText('No valid card').filter({ visible: true }).waitFor()
    expect(await rowOf('Cleaning team').getByText('No valid card').count()).toBe(0)
    expect(await rowOf('Cleaning team').count()).toBe(1)
    await client.members.delete(member.id)
    await page.close()
  })

  soak('who can open this door at …?', async () => {
    const pool = (await setting.client.gadgets.list({ q: 'Pool' })).data[0]?.id as string
    const page = await setting.open(
      `/groups/who?gadget_id=${pool}&at=2026-11-23T11:00:00Z&access_method=card`,
    )
    await page.getByRole('link', { name: 'Cleaning team' }).waitFor()
    await page.getByRole('link', { name: 'Night manager' }).waitFor()
    await checkPage(page, `who-answer-${width}`)
    await page.getByLabel('Time', { exact: true }).fill('2026-11-22T12:00')
    await page.getByRole('link', { name: 'Cleaning team' }).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('link', { name: 'Night manager' }).count()).toBe(1)
    await page.close()
  })
})
