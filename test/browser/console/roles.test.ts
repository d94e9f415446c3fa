import { within } from '@gatehouse-access/testkit'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '../../oauth/people.ts'
import type { Visitor } from '../../oauth/visitor.ts'
import { checkPage, type Look, openPage, openSetting, type Setting, signedIn, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let site_id: string
  const contexts = new Map<string, BrowserContext>()

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    const { data } = await setting.client.sites.list({ limit: 1 })
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
      if (response.status() === 403)
        refused.push(`${page?.url().split('/').slice(5).join('/')} ${new URL(response.url()).pathname}`)
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
        const row = page.getByRole('main').getByRole('table').getByRole('link').first()
        if (!(await row.isVisible())) continue
        await row.click()
        await page.getByRole('heading', { level: 1 }).filter({ hasNotText: name }).waitFor()
        await checkPage(page, `roles-${role}-${name.toLowerCase()}-one-${width}`, true)
      }
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
