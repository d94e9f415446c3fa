import { within } from '@gatehouse-access/testkit'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '../../oauth/people.ts'
import type { Visitor } from '../../oauth/visitor.ts'
import {
  checkPage,
  type Look,
  openPage,
  openSetting,
  type Setting,
  signedIn,
  walk,
  widthsFor,
} from './setting.ts'

/** The screens of each role. */
const paths = {
  front_desk: ['/members', '/events', '/emergencies', '/groups', '/cards', '/sites', '/gadgets', '/devices'],
  installer: ['/devices', '/sites', '/gadgets', '/triggers'],
} as const

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let site_id: string
  const contexts = new Map<string, BrowserContext>()

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    const { data } = await setting.client.sites.list({ q: 'Madrid' })
    site_id = data[0]?.id ?? ''
    await setting.client.sites.create({ name: 'Lisbon', timezone: 'Europe/Lisbon' })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  async function accept(person: Visitor): Promise<void> {
    const { body } = await person.account<{ data: { id: string }[] }>('GET', '/account/invitations')
    await person.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  }

  async function join(role: string): Promise<void> {
    const email = `${role}@example.com`
    const person = await signUp(setting.world, email, role)
    const path = `/account/organizations/${setting.organization_id}/invitations`
    await setting.visitor.account('POST', path, { email, role, site_ids: [site_id] })
    await accept(person)
    contexts.set(role, await signedIn(setting.browser, person))
  }

  /** Opens a window of somebody with a role, and notes what the service refuses there. */
  async function open(
    role: string,
    path = '/',
    look: Look = width,
  ): Promise<{ page: Page; refused: string[] }> {
    if (!contexts.has(role)) await join(role)
    const refused: string[] = []
    let page: Page | undefined
    const context = contexts.get(role) as BrowserContext
    context.on('response', response => {
      if (response.status() >= 400 && response.status() < 500)
        refused.push(
          `${page?.url().split('/').slice(5).join('/')} ${response.status()} ${new URL(response.url()).pathname}`,
        )
    })
    page = await openPage(context, `${setting.url}/o/${setting.organization_id}${path}`, look)
    return { page, refused }
  }

  async function screensOf(page: Page): Promise<string[]> {
    if (width === 'phone') await page.getByRole('button', { name: 'Open menu' }).click()
    const navigation = page
      .getByRole('navigation', { name: 'Screens', exact: true })
      .filter({ visible: true })
    const names = (await navigation.getByRole('link').allInnerTexts()).filter(name => name !== '')
    if (width === 'phone') await page.keyboard.press('Escape')
    return names.map(name => name.trim())
  }

  /** The links of what is shown that lead to screens which the role does not have. */
  async function deadEndsOf(page: Page, role: 'front_desk' | 'installer'): Promise<string[]> {
    const base = `/o/${setting.organization_id}`
    const known = paths[role].map(path => base + path)
    const links = await page
      .getByRole('main')
      .locator('a[href]')
      .evaluateAll(found => found.map(link => link.getAttribute('href') ?? ''))
    return links.filter(href => href.startsWith(base) && !known.some(path => href.startsWith(path)))
  }

  test('an owner invites somebody for the front desk of one site', within(60), async () => {
    const page = await setting.open('/users?new')
    const form = page.getByRole('dialog')
    await form.getByLabel('Email').fill('new@example.com')
    await form.getByLabel('Front desk').check()
    await form.getByRole('combobox', { name: 'Sites' }).click()
    await page.getByRole('option', { name: 'Lisbon' }).click()
    // The list of sites would be over the button.
    await form.getByLabel('Email').click()
    await checkPage(page, `roles-invite-${width}`)
    await form.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('table', { name: 'Invitations' }).getByText('new@example.com').waitFor()
    const person = await signUp(setting.world, 'new@example.com', 'Desk')
    await accept(person)
    await page.reload()
    await page
      .getByRole('row', { name: /Desk.*Front desk/s })
      .getByText('1 site')
      .first()
      .waitFor()
    await page.close()
  })

  test.each([
    [
      'front_desk',
      'Members',
      ['Members', 'Events', 'Emergencies', 'Groups', 'Cards', 'Sites', 'Doors', 'Devices'],
    ],
    ['installer', 'Devices', ['Devices', 'Sites', 'Doors', 'Triggers']],
  ] as const)(
    '%s begins at %s, and everything that it is shown works',
    within(180),
    async (role, first, own) => {
      const { page, refused } = await open(role)
      const dead: string[] = []
      await page.getByRole('heading', { level: 1, name: first }).waitFor()
      expect((await screensOf(page)).toSorted()).toEqual(own.toSorted())
      for (const name of own) {
        if (width === 'phone') await page.getByRole('button', { name: 'Open menu' }).click()
        await page
          .getByRole('navigation', { name: 'Screens', exact: true })
          .filter({ visible: true })
          .getByRole('link', { name })
          .click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        await checkPage(page, `roles-${role}-${name.toLowerCase()}-${width}`, true)
        dead.push(...(await deadEndsOf(page, role)))
        const row = page.getByRole('main').getByRole('table').getByRole('link').first()
        if (!(await row.isVisible())) continue
        await row.click()
        await page.getByRole('heading', { level: 1 }).filter({ hasNotText: name }).waitFor()
        await checkPage(page, `roles-${role}-${name.toLowerCase()}-one-${width}`, true)
        dead.push(...(await deadEndsOf(page, role)))
      }
      expect(refused).toEqual([])
      expect(dead).toEqual([])
      await page.close()
    },
  )

  test(
    'an installer is told what is lost before deleting, and is offered only what the role can do',
    within(90),
    async () => {
      const { page, refused } = await open('installer', '/devices')
      const dialog = page.getByRole('dialog')
      await page.getByRole('link', { name: 'Lobby controller' }).click()
      await page.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByText(/members in .* may lose access to 5 doors/).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(await page.getByRole('link', { name: 'Simulate' }).count()).toBe(0)

      await page.getByRole('link', { name: 'Pool' }).click()
      await page.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByText(/may lose access to 1 door,/).waitFor()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { level: 1, name: 'Doors' }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Pool restored').waitFor()

      await walk(page, setting, '/triggers')
      await page.getByRole('main').getByRole('table').getByRole('link').first().click()
      await page.getByRole('button', { name: 'Edit' }).click()
      await dialog.getByText('Signal', { exact: true }).waitFor()
      expect(await dialog.getByText('Schedule', { exact: true }).count()).toBe(0)
      expect(refused).toEqual([])
      await page.close()
    },
  )

  test(
    'the front desk reads when a rule holds, and is offered only filters that it can use',
    within(60),
    async () => {
      const { page, refused } = await open('front_desk', '/groups')
      await page.getByRole('link', { name: 'Cleaning' }).click()
      await page.getByText(/Mon to Fri 08:00 to 18:00, not on holidays/).waitFor()
      await page.getByText('(Cleaning hours)').waitFor()
      expect(await deadEndsOf(page, 'front_desk')).toEqual([])
      await walk(page, setting, '/events')
      if (width === 'phone') await page.getByRole('button', { name: /Filter/ }).click()
      await page.getByRole('combobox', { name: 'More filters' }).click()
      await page.getByRole('option', { name: 'Tag' }).waitFor()
      expect(await page.getByRole('option', { name: /Schedule|Calendar|Unlock rule/ }).count()).toBe(0)
      expect(refused).toEqual([])
      await page.close()
    },
  )

  test(
    'the front desk reports a card lost, takes that back, and is offered no card of others',
    within(60),
    async () => {
      const { page, refused } = await open('front_desk', '/cards')
      await page
        .getByRole('row', { name: /Cleaning team/ })
        .getByRole('link')
        .click()
      await page.getByRole('button', { name: 'Lost' }).click()
      await page.getByRole('heading', { level: 1, name: 'Cleaning team' }).waitFor()
      const isLost = async () =>
        (await setting.client.cards.list()).data.find(({ uid }) => uid === '04A1B2C3D4E5F6')?.is_lost
      await expect.poll(isLost).toBe(true)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Replace 04A1B2C3D4E5F6' }).click()
      expect(await isLost()).toBe(false)
      const form = page.getByRole('dialog')
      await form.getByRole('textbox', { name: 'Or UID' }).waitFor()
      expect(await form.getByRole('combobox', { name: 'Or existing card' }).count()).toBe(0)
      expect(refused).toEqual([])
      await page.close()
    },
  )

  test('the front desk makes a guest of its site with a PIN', within(60), async () => {
    const { page, refused } = await open('front_desk', '/members?new')
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Ada Guest')
    await form.getByLabel('Create a PIN').check()
    await checkPage(page, `roles-front_desk-new-${width}`, true)
    await form.getByRole('button', { name: 'Add member' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Guest' }).waitFor()
    expect(refused).toEqual([])
    await page.close()
  })
})
