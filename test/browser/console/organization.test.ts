import { soak, within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorize, codeOf, exchange, register, signUp, statusOf } from '../../oauth/people.ts'
import type { Visitor } from '../../oauth/visitor.ts'
import { png } from './png.ts'
import {
  checkLooks,
  checkPage,
  faultsOf,
  openPage,
  openSetting,
  type Setting,
  signedIn,
  widthsFor,
} from './setting.ts'

/** The height at the end of the menu in which it fades. */
const faded = 20

/** Whether the entry of a screen is within the part of the menu that is scrolled to and does not fade, up to fractions of a pixel. */
async function isInMenu(page: Page, name: string): Promise<boolean> {
  const menu = page.getByRole('navigation', { name: 'Screens', exact: true }).filter({ visible: true })
  const [whole, entry] = await Promise.all([
    menu.boundingBox(),
    menu.getByRole('link', { name, exact: true }).boundingBox(),
  ])
  return (
    !!whole && !!entry && entry.y + 1 > whole.y && entry.y + entry.height - 1 < whole.y + whole.height - faded
  )
}

describe.each(widthsFor('desktop'))('on a %s', width => {
  const evil = `<img src=x onerror="window.harmed = true">\u202e${'\u0301'.repeat(180)}`

  let setting: Setting
  let viewer: Visitor
  let token: string

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    const { world, visitor, organization_id, url } = setting
    viewer = await join('viewer@example.com', evil, 'viewer')
    const admin = await join('admin@example.com', 'Ada Admin', 'administrator')
    for (const [name, scope] of [
      ['Door bot', 'full_read_write'],
      ['Shift planner', 'members'],
    ] as const) {
      const { client_id } = await register(admin, { name })
      await authorize(admin, { client_id, organization_id, scope })
    }
    const application = await register(visitor, { name: 'Front desk' })
    const code = codeOf(await authorize(visitor, { client_id: application.client_id, organization_id }))
    token = (await exchange(url, application, code, { redirect_uri: 'https://client.example/callback' })).body
      .access_token
    expect([await statusOf(url, token), world.url.length > 0]).toEqual([200, true])
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  /** Invites a person, who accepts. */
  async function join(email: string, name: string, role: string): Promise<Visitor> {
    const person = await signUp(setting.world, email, name)
    const path = `/account/organizations/${setting.organization_id}/invitations`
    await setting.visitor.account('POST', path, { email, role })
    const { body } = await person.account<{ data: { id: string }[] }>('GET', '/account/invitations')
    await person.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
    return person
  }

  test('users, applications and settings pass axe in every look', within(120), async () => {
    await checkLooks(setting, '/users', 'users')
    await checkLooks(setting, '/applications', 'applications')
    await checkLooks(setting, '/settings', 'settings')
  })

  test('color and logo of the organization are chosen, shown in both modes, and taken away', async () => {
    const { client } = setting
    const page = await setting.open('/settings')
    if (width === 'desktop') await expect.poll(() => isInMenu(page, 'Settings')).toBe(true)
    const color = page.getByRole('textbox', { name: 'Color', exact: true })
    const use = page.getByRole('button', { name: 'Use this color' })
    expect(await use.isDisabled()).toBe(true)
    await color.fill('yellow')
    await use.click()
    await page.getByText(/^Must be a color like #1e90ff/).waitFor()
    expect((await client.organization.get()).color).toBeNull()
    await color.fill('#ffdd00')
    await page.getByRole('img', { name: /^Light mode: #/ }).waitFor()
    await page.getByRole('img', { name: 'Dark mode: #ffdd00' }).waitFor()
    await checkPage(page, `settings-color-${width}`)
    await use.click()
    await expect.poll(async () => (await client.organization.get()).color).toBe('#ffdd00')
    await page.reload()
    await expect.poll(() => color.inputValue()).toBe('#ffdd00')
    await color.fill('')
    await use.click()
    await expect.poll(async () => (await client.organization.get()).color).toBeNull()

    const file = page.getByLabel('Logo file')
    const not = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') }
    await file.setInputFiles(not)
    await page.getByText('Choose a PNG, JPEG or WebP image.').waitFor()
    await checkPage(page, `settings-logo-fault-${width}`)
    await file.setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: png(8, 8, () => [200, 30, 60]),
    })
    await page.getByRole('button', { name: 'Replace' }).waitFor()
    const logo = page.getByRole('img', { name: 'Current logo' })
    await expect.poll(() => logo.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(8)
    await checkPage(page, `settings-logo-${width}`)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('somebody is invited by mail; the invitation is sent again and withdrawn', async () => {
    const page = await setting.open('/users?new')
    const form = page.getByRole('dialog')
    await form.getByLabel('Email').fill('viewer@example.com')
    await form.getByRole('button', { name: 'Send invitation' }).click()
    await form.getByText('already belongs to a user of the organization').waitFor()
    await form.getByLabel('Email').fill('new@example.com')
    await form.getByLabel('Viewer', { exact: true }).check()
    await checkPage(page, `users-invite-${width}`)
    await form.getByRole('button', { name: 'Send invitation' }).click()
    const invitations = page.getByRole('table', { name: 'Invitations' })
    await invitations.getByText('new@example.com').waitFor()
    const sent = () =>
      setting.world.server.context.mailer.outbox?.filter(({ to }) => to === 'new@example.com').length
    await expect.poll(sent).toBe(1)
    await invitations.getByRole('button', { name: 'Resend' }).click()
    await expect.poll(sent).toBe(2)
    await invitations.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('No pending invitations').waitFor()
    await page.close()
  })

  test('a role is changed, a user removed; malicious names are text', async () => {
    const page = await setting.open('/users')
    const users = page.getByRole('table', { name: 'Users' })
    await users.getByText('<img src=x').waitFor()
    await checkPage(page, `users-malicious-${width}`)
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false)
    await page.getByRole('button', { name: 'Actions for Ada Admin' }).click()
    await page.getByRole('menuitem', { name: 'Change role' }).click()
    await page.getByRole('dialog').getByLabel('Viewer', { exact: true }).check()
    for (const name of ['Door bot', 'Shift planner']) await page.getByRole('checkbox', { name }).check()
    await page.getByRole('button', { name: 'Change role' }).click()
    await expect.poll(() => users.getByText('Administrator').count()).toBe(0)
    await page.getByRole('button', { name: 'Actions for Ada Admin' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText('loses access to this organization immediately').waitFor()
    await page.getByRole('checkbox', { name: 'Shift planner' }).check()
    await checkPage(page, `users-remove-${width}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await users.getByText('Ada Admin').waitFor({ state: 'detached' })
    const installed = await setting.visitor.account<{ data: { name: string }[] }>(
      'GET',
      `/account/organizations/${setting.organization_id}/installations`,
    )
    expect(installed.body.data.map(({ name }) => name).sort()).toEqual(['Front desk', 'Shift planner'])
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('the last owner cannot leave and is told why', async () => {
    const page = await setting.open('/users')
    await page.getByRole('button', { name: 'Leave organization' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click()
    await page.getByText('needs at least one owner').waitFor()
    await page.close()
  })

  test('a viewer sees everything and can change nothing', async () => {
    const context = await signedIn(setting.browser, viewer)
    const address = `${setting.url}/o/${setting.organization_id}`
    const page = await openPage(context, `${address}/users`, width)
    await page.getByRole('table', { name: 'Users' }).getByText('Olivia Owner').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Invite|^Actions/ }).count()).toBe(0)
    await page.goto(`${address}/applications`)
    await page.getByText('Front desk').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /De-authorize/ }).count()).toBe(0)
    await page.goto(`${address}/settings`)
    await page.getByText('Your role').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0)
    await context.close()
  })

  soak('an application is de-authorized after it was said what that means', async () => {
    const page = await setting.open('/applications')
    await page.getByRole('button', { name: 'Revoke access for Front desk' }).click()
    await page.getByText('Its tokens stop working immediately').waitFor()
    await checkPage(page, `applications-question-${width}`)
    expect(await statusOf(setting.url, token)).toBe(200)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click()
    await page.getByRole('button', { name: 'Revoke access for Front desk' }).waitFor({ state: 'detached' })
    expect(await statusOf(setting.url, token)).toBe(401)
    await page.close()
  })

  soak('the organization is renamed, deleted with its name typed, and restored', async () => {
    const page = await setting.open('/settings')
    await page.getByLabel('Name').fill('Hotel Bellavista')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /Hotel Bellavista/ }).waitFor()
    await page.getByRole('button', { name: 'Delete organization' }).click()
    const question = page.getByRole('dialog')
    const confirm = question.getByRole('button', { name: 'Delete organization' })
    await question.getByLabel('Type the organization’s name').fill('Hotel')
    await expect.poll(() => confirm.isDisabled()).toBe(true)
    await question.getByLabel('Type the organization’s name').fill('Hotel Bellavista')
    await checkPage(page, `settings-delete-${width}`)
    await confirm.click()
    await page.getByRole('heading', { name: 'This organization was deleted' }).waitFor()
    await checkPage(page, `settings-deleted-${width}`)
    await page.getByRole('button', { name: 'Restore organization' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await expect.poll(async () => (await setting.client.organization.get()).name).toBe('Hotel Bellavista')
    await page.close()
  })

  soak('ownership is handed over, and the former owner leaves', async () => {
    const page = await setting.open('/users')
    await page.getByRole('button', { name: /^Actions for <img/ }).click()
    await page.getByRole('menuitem', { name: 'Transfer ownership' }).click()
    await page.getByText('only an owner can make you an owner again').waitFor()
    await page.getByRole('button', { name: 'Transfer ownership' }).click()
    const own = page.getByRole('row').filter({ hasText: '(you)' })
    await own.getByText('Administrator').waitFor()
    await page.getByRole('button', { name: 'Leave organization' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click()
    await page.getByRole('heading', { name: 'Welcome to Gatehouse' }).waitFor()
    await page.close()
  })
})
