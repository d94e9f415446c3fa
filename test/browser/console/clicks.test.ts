import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSetting, type Setting, widthsFor } from './setting.ts'

let setting: Setting
let page: Page

type Click = (what: Locator) => Promise<void>

/** Does a task from the overview on, and returns its clicks. What is typed costs none, and neither does looking. */
async function count(work: (click: Click) => Promise<unknown>): Promise<number> {
  page = await setting.open('/')
  let clicks = 0
  await work(async what => {
    await what.click()
    clicks++
  })
  await page.close()
  return clicks
}

const button = (name: string | RegExp) => page.getByRole('button', { name })
const option = (name: string) => page.getByRole('option', { name }).first()
const dialog = () => page.getByRole('dialog')

/** Follows a link of the navigation. On a phone, most are in the menu, whose click is not counted. */
async function go(click: Click, name: string): Promise<void> {
  const shown = page.getByRole('link', { name, exact: true }).filter({ visible: true })
  if (setting.width === 'phone' && (await shown.count()) === 0) await button('Open menu').click()
  await click(shown.first())
}

/** The most clicks of each task. They took 45 in all, before the console was made for a busy desk. */
const tasks = {
  'open a door': 1,
  'add a site': 3,
  'add a device': 7,
  'a group with one rule': 8,
  'a guest with PIN and link': 6,
  'why somebody was denied': 3,
  'replace a lost card': 8,
  'end the access of somebody': 3,
  'what happened yesterday': 3,
  'invite a colleague': 3,
}

describe.each(widthsFor('desktop'))('on a %s', width => {
  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('the ten most common tasks take few clicks', async () => {
    const { client } = setting
    const member = await client.members.create({ name: 'Lea Lost' })
    await client.member_cards.create(member.id, { uid: '04B0B0B1' })
    const leaving = await client.members.create({ name: 'Max Leaving' })
    const [pool] = (await client.gadgets.list({ q: 'Pool' })).data
    const [cleaner] = (await client.members.list({ q: 'Cleaning team' })).data
    await client.gadgets
      .execute_as_member(pool?.id ?? '', 'open', { member_id: cleaner?.id ?? '' })
      .catch(() => undefined)
    const took: Record<keyof typeof tasks, number> = {
      'open a door': await count(async click => {
        await click(button('Open: Front door'))
        await page.getByText('opened Front door').first().waitFor()
      }),
      'add a device': await count(async click => {
        await go(click, 'New device')
        await dialog().getByRole('textbox', { name: 'Name' }).fill('Cellar')
        await click(dialog().getByRole('radio', { name: 'Miramar Madrid' }))
        await click(dialog().getByRole('button', { name: 'Add device' }))
        await page.getByRole('heading', { name: 'Cellar' }).waitFor()
      }),
      'add a site': await count(async click => {
        await go(click, 'New site')
        await dialog().getByRole('textbox', { name: 'Name' }).fill('Annex')
        await click(dialog().getByRole('button', { name: 'Create site' }))
        await page.getByRole('heading', { name: 'Annex' }).waitFor()
      }),
      'a group with one rule': await count(async click => {
        await go(click, 'New group')
        await dialog().getByRole('textbox', { name: 'Name' }).fill('Bakers')
        await click(dialog().getByRole('button', { name: 'Create group' }))
        await click(dialog().getByText('Doors', { exact: true }))
        await click(dialog().getByRole('combobox', { name: 'Doors' }))
        await click(option('Front door'))
        await click(dialog().getByRole('button', { name: 'Save rule' }))
        await page.getByRole('region', { name: 'Rules' }).getByText('Front door').waitFor()
      }),
      'a guest with PIN and link': await count(async click => {
        await go(click, 'New member')
        await dialog().getByRole('textbox', { name: 'Name' }).fill('Reservation R-7')
        await click(dialog().getByRole('combobox', { name: 'Groups' }))
        await click(option('Guests'))
        await page.keyboard.press('Escape')
        await click(dialog().getByRole('checkbox', { name: 'Create a PIN' }))
        await click(dialog().getByRole('button', { name: 'Add member' }))
        await page.getByRole('heading', { name: 'Reservation R-7' }).waitFor()
      }),
      'why somebody was denied': await count(async click => {
        const denial = page
          .getByRole('listitem')
          .filter({ hasText: 'Cleaning team was denied at Pool' })
          .first()
        await click(denial.locator('time'))
        await page.getByRole('region', { name: 'Why' }).waitFor()
      }),
      'replace a lost card': await count(async click => {
        await go(click, 'Members')
        await click(page.getByRole('link', { name: 'Lea Lost' }))
        await click(button('Replace 04B0B0B1'))
        await dialog().getByRole('textbox', { name: 'Or UID' }).fill('04b0b0b2')
        await click(dialog().getByRole('button', { name: 'Replace', exact: true }))
        await button('Replace 04B0B0B2').waitFor()
      }),
      'end the access of somebody': await count(async click => {
        await go(click, 'Members')
        await click(page.getByRole('link', { name: 'Max Leaving' }))
        await click(button('End now'))
        await page.getByText('The access of Max Leaving has ended').waitFor()
        await page.getByText('A day after the end the member is deleted').waitFor()
        const endOf = async () => (await client.members.get(leaving.id)).ends_at
        await expect.poll(endOf).not.toBeNull()
        await button('Undo').click()
        await expect.poll(endOf).toBeNull()
      }),
      'what happened yesterday': await count(async click => {
        await go(click, 'Reports')
        const days = page.getByRole('combobox', { name: 'Days', exact: true })
        await expect.poll(() => days.inputValue()).toBe('Yesterday')
        await page.getByRole('region', { name: 'At a glance' }).getByText('Opened').first().waitFor()
      }),
      'invite a colleague': await count(async click => {
        await go(click, 'Invite user')
        await dialog().getByRole('textbox', { name: 'Email' }).fill('colleague@example.com')
        await click(dialog().getByRole('button', { name: 'Send invitation' }))
        await page.getByText('colleague@example.com').first().waitFor()
      }),
    }
    const [guest] = (await client.members.list({ q: 'Reservation R-7' })).data
    const pins = (await client.member_pins.list(guest?.id ?? '')).data
    const links = (await client.member_magic_links.list(guest?.id ?? '')).data
    expect([pins.length, links.length]).toEqual([1, 1])
    for (const [task, most] of Object.entries(tasks))
      expect([task, took[task as keyof typeof tasks] <= most]).toEqual([task, true])
    const sum = Object.values(took).reduce((total, clicks) => total + clicks, 0)
    expect([sum, sum <= 28]).toEqual([sum, true])
  })
})
