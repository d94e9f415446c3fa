import { isSoak, within } from '@gatehouse-access/testkit'
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
  waitUntilLive,
  walk,
  widthsFor,
} from './setting.ts'

/** What buttons are called that only show something. Whatever else there is may change something. */
const showing = /^(Columns|Copy|Details|Filters|Pick a day|Save view|Show history|Who can open (it|a door)\?)/

const everywhere = [
  ...['/gadgets', '/members', '/events', '/emergencies', '/groups'],
  ...['/cards', '/sites', '/devices', '/triggers'],
]

/** The screens of each role. */
const paths = {
  front_desk: ['/members', '/events', '/emergencies', '/groups', '/cards', '/sites', '/gadgets', '/devices'],
  installer: ['/devices', '/sites', '/gadgets', '/triggers'],
  site_administrator: everywhere,
  site_viewer: everywhere,
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
  async function deadEndsOf(page: Page, role: keyof typeof paths): Promise<string[]> {
    const base = `/o/${setting.organization_id}`
    const known = paths[role].map(path => base + path)
    const links = await page
      .getByRole('main')
      .locator('a[href]')
      .evaluateAll(found => found.map(link => link.getAttribute('href') ?? ''))
    return links.filter(href => href.startsWith(base) && !known.some(path => href.startsWith(path)))
  }

  /** The buttons, also those that are links, and switches that may change something, as far as they can be used. */
  async function changesIn(page: Page): Promise<string[]> {
    const names = await page
      .getByRole('main')
      .locator('button:enabled, [role=button], [role=switch], input[type=checkbox], a[class*=Button-root]')
      .and(
        page.locator(
          ':not([aria-pressed], [aria-disabled=true], [data-disabled=true], [role=columnheader] *)',
        ),
      )
      .evaluateAll(found => found.map(one => one.getAttribute('aria-label') ?? one.textContent ?? ''))
    return names.filter(name => !showing.test(name))
  }

  test('an owner invites somebody as administrator of one site', within(60), async () => {
    const page = await setting.open('/users?new')
    const form = page.getByRole('dialog')
    await form.getByLabel('Email').fill('new@example.com')
    await form.getByLabel('Site administrator').check()
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
    const sites = page.getByRole('row', { name: /Desk.*Site administrator/s }).getByText('1 site')
    const isWhole = (text: Element) =>
      text.getBoundingClientRect().right <= (text.closest('[role=cell]')?.getBoundingClientRect().right ?? 0)
    expect(await sites.first().evaluate(isWhole)).toBe(true)
    await checkPage(page, `roles-users-${width}`)
    await page.close()
  })

  const desks = [
    [
      'front_desk',
      'Members',
      ['Members', 'Events', 'Emergencies', 'Groups', 'Cards', 'Sites', 'Doors', 'Devices'],
    ],
    ['installer', 'Devices', ['Devices', 'Sites', 'Doors', 'Triggers']],
    [
      'site_viewer',
      'Doors',
      ['Doors', 'Members', 'Events', 'Emergencies', 'Groups', 'Cards', 'Sites', 'Devices', 'Triggers'],
    ],
  ] as const

  /** What the others may not do is tried by requests, see properties/site-roles.test.ts. */
  test.each(desks.filter(([role]) => isSoak || role === 'front_desk'))(
    '%s begins at %s, and everything that it is shown works',
    within(180),
    async (role, first, own) => {
      const { page, refused } = await open(role)
      const dead: string[] = []
      const offered: string[] = []
      // Those of the site viewer are the ones of the others with less on them.
      const withAxe = role === 'site_viewer' ? undefined : true
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
        await checkPage(page, `roles-${role}-${name.toLowerCase()}-${width}`, withAxe)
        if (name === 'Emergencies')
          expect(await page.getByText(/^Touch a plan/).count()).toBe(role === 'site_viewer' ? 0 : 1)
        dead.push(...(await deadEndsOf(page, role)))
        offered.push(...(await changesIn(page)))
        const rows = page.getByRole('main').getByRole('table').getByRole('link')
        const list = page.url()
        const count = await rows.count()
        // Those further down may be of other kinds, such as devices with a keypad, or what is suspended.
        for (const at of role === 'site_viewer' ? new Set([0, 1, count - 1]) : [0]) {
          if (at < 0 || at >= count) continue
          if (page.url() !== list) await page.goBack()
          await rows.nth(at).click()
          await page.getByRole('heading', { level: 1 }).filter({ hasNotText: name }).waitFor()
          // Also none that is grey for ever.
          if (name === 'Doors' && role !== 'front_desk')
            expect(await page.getByRole('button', { name: /^Open: / }).count()).toBe(0)
          await checkPage(page, `roles-${role}-${name.toLowerCase()}-${at}-${width}`, withAxe)
          dead.push(...(await deadEndsOf(page, role)))
          offered.push(...(await changesIn(page)))
        }
      }
      if (role === 'site_viewer') expect(offered).toEqual([])
      else expect(offered).not.toEqual([])
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
      await page.getByText('“Pool” restored').waitFor()

      await walk(page, setting, '/triggers')
      await page.getByRole('main').getByRole('table').getByRole('link').first().click()
      await page.getByRole('button', { name: 'Edit' }).click()
      await dialog.getByText('Signal', { exact: true }).waitFor()
      expect(await dialog.getByText('Schedule', { exact: true }).count()).toBe(0)
      expect(refused).toEqual([])
      await page.close()
    },
  )

  test('an installer sees a device go offline, and its doors with it', within(90), async () => {
    const { page, refused } = await open('installer', '/devices')
    const device = (await setting.client.devices.list({ q: 'Lobby controller', site_id })).data[0]
    const dot = (row: RegExp, name: string) => page.getByRole('row', { name: row }).getByRole('img', { name })
    await dot(/Lobby controller/, 'Online').waitFor()
    await setting.client.devices.simulate(device?.id ?? '', { network: 'offline' })
    await dot(/Lobby controller/, 'Offline').waitFor()
    await walk(page, setting, '/gadgets')
    await dot(/Front door/, 'Offline').waitFor()
    await setting.client.devices.simulate(device?.id ?? '', { network: 'online' })
    await dot(/Front door/, 'Online').waitFor()
    expect(refused).toEqual([])
    await page.close()
  })

  test(
    'the front desk reads when a rule holds, and is offered only filters that it can use',
    within(60),
    async () => {
      const { page, refused } = await open('front_desk', '/groups')
      await waitUntilLive(page)
      await page.getByRole('link', { name: 'Cleaning' }).click()
      await page.getByText(/Mon to Fri 08:00 to 18:00, not on holidays/).waitFor()
      await page.getByText('(Cleaning hours)').waitFor()
      expect(await deadEndsOf(page, 'front_desk')).toEqual([])
      await walk(page, setting, '/events')
      if (width === 'phone') await page.getByRole('button', { name: /Filter/ }).click()
      await page.getByRole('combobox', { name: 'More filters' }).click()
      await page.getByRole('option', { name: 'Tag', exact: true }).waitFor()
      expect(await page.getByRole('option', { name: /Schedule|Calendar|Unlock rule/ }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.getByText('(not shown to your role)').first().waitFor()
      expect(await page.getByText('Unnamed').count()).toBe(0)

      await walk(page, setting, '/devices')
      await page
        .getByRole('row', { name: /Street keypad/ })
        .getByRole('img', { name: 'Online' })
        .waitFor()
      await page.getByRole('link', { name: 'Street keypad' }).click()
      await page.getByText('This model does not control doors itself').waitFor()
      await page.locator('.page-head').getByText('Keypad reader').waitFor()
      const rules = page.getByRole('region', { name: 'Keypad and cards' })
      await expect
        .poll(() => rules.getByRole('listitem').allInnerTexts())
        .toEqual(['Default → Front door, Open', '*1 → Pool, Open'])
      expect(await rules.locator('input').count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Add one to this site' }).count()).toBe(0)
      expect(refused).toEqual([])

      // What is at another site is not found, as if it were not there.
      await walk(page, setting, '/events?object.emergency_id=em_00000000000000000000')
      if (width === 'phone') await page.getByRole('button', { name: /Filter/ }).click()
      await page
        .getByRole('button', { name: /^Remove filter/ })
        .getByText('(not shown to your role)')
        .waitFor()
      await page.close()
    },
  )

  test('the front desk opens a door from the list, and keeps looking at the list', within(60), async () => {
    const { page, refused } = await open('front_desk', '/gadgets')
    const row = page.getByRole('row', { name: /Front door/ })
    await row.getByRole('button', { name: 'Open: Front door' }).click()
    await row.getByText('Done').waitFor()
    const { data } = await setting.client.events.list({ 'object.type': 'gadget_action', limit: 1 })
    expect(data[0]).toMatchObject({
      object: { gadget_action_id: 'open' },
      subject: { user_id: expect.any(String) },
    })
    expect(new URL(page.url()).pathname).toMatch(/\/gadgets$/)
    expect(refused).toEqual([])
    await page.close()
  })

  test(
    'the front desk reports a card lost, takes that back, and is offered no card of others',
    within(60),
    async () => {
      const { page, refused } = await open('front_desk', '/cards')
      const row = page.getByRole('row', { name: /Cleaning team/ })
      await row.waitFor()
      // Cards are changed one by one, through their members.
      expect(await page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0)
      await row.getByRole('link').click()
      await page.getByRole('button', { name: 'Report lost' }).click()
      const found = page.getByRole('button', { name: 'Report found' })
      await found.waitFor()
      const isLost = async () =>
        (await setting.client.cards.list()).data.find(({ uid }) => uid === '04A1B2C3D4E5F6')?.is_lost
      await expect.poll(isLost).toBe(true)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Report lost' }).click()
      await found.waitFor()

      // It is still seen, with who had it. Once it is found, it is nobody's.
      await walk(page, setting, '/cards?show=lost')
      await page
        .getByRole('row', { name: /04A1B2C3D4E5F6/ })
        .getByRole('link')
        .click()
      await page.getByText('Last assigned to').waitFor()
      await checkPage(page, `roles-front_desk-lost-${width}`)
      await found.click()
      await page.getByRole('heading', { level: 1, name: 'Cleaning team' }).waitFor()
      expect(await isLost()).toBe(false)
      await page.getByRole('button', { name: 'Deleted credentials' }).click()
      await page.getByRole('button', { name: 'Restore 04A1B2C3D4E5F6' }).click()
      await page.getByRole('button', { name: 'Replace 04A1B2C3D4E5F6' }).click()
      expect(await isLost()).toBe(false)
      const form = page.getByRole('dialog')
      await form.getByRole('textbox', { name: 'Or UID' }).waitFor()
      expect(await form.getByRole('combobox', { name: 'Or existing card' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Report lost: 04A1B2C3D4E5F6' }).click()
      await expect.poll(isLost).toBe(true)
      await page.getByRole('button', { name: 'Undo' }).click()
      // A lost card has a link, too.
      await expect.poll(isLost).toBe(false)
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

  test(
    'a site administrator edits its site, adds a device and a member, and makes no site',
    within(90),
    async () => {
      const { page, refused } = await open('site_administrator', '/sites')
      const form = page.getByRole('dialog')
      await page.getByRole('link', { name: /Madrid/ }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await form.getByLabel('Phone').fill('+34 910 000 001')
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByText('+34 910 000 001').waitFor()
      expect(await page.getByRole('button', { name: /New site|Delete|Today/ }).count()).toBe(0)
      expect(await deadEndsOf(page, 'site_administrator')).toEqual([])

      await walk(page, setting, '/devices?new')
      await form.getByLabel('Name').fill('Back door lock')
      await checkPage(page, `roles-site_administrator-device-${width}`, true)
      await form.getByRole('button', { name: /Add|Create/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Back door lock' }).waitFor()
      await walk(page, setting, '/members?new')
      await form.getByLabel('Name').fill('Bea Guest')
      await form.getByRole('button', { name: 'Add member' }).click()
      await page.getByRole('heading', { level: 1, name: 'Bea Guest' }).waitFor()
      expect(refused).toEqual([])
      await page.close()
    },
  )
})
