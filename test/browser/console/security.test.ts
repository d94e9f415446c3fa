import { soak } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totpAt } from '../../../packages/server/src/services/accounts/totp.ts'
import { password, signUp } from '../../oauth/people.ts'
import { Visitor } from '../../oauth/visitor.ts'
import { checkPage, faultsOf, openPage, openSetting, type Setting, signedIn, widthsFor } from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting
  let colleague: Visitor
  let address: string

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    address = `${setting.url}/o/${setting.organization_id}`
    colleague = await signUp(setting.world, 'ada@example.com', 'Ada Admin')
    const path = `/account/organizations/${setting.organization_id}/invitations`
    await setting.visitor.account('POST', path, { email: 'ada@example.com', role: 'administrator' })
    const { body } = await colleague.account<{ data: { id: string }[] }>('GET', '/account/invitations')
    await colleague.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('sign-in without a target leads to the console, which leads to the account page', async () => {
    const context = await setting.browser.newContext()
    const page = await openPage(context, `${setting.url}/sign-in`, width)
    await page.getByLabel('Email').fill('owner@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/o/${setting.organization_id}`)
    if (width === 'phone') await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('button', { name: /Your account/ }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await context.close()
  })

  soak(
    'an administrator signs a colleague out; the open console of the colleague says so and leads back in',
    async () => {
      const context = await signedIn(setting.browser, colleague)
      const other = await openPage(context, `${address}/sites`, width)
      await other.getByRole('table', { name: 'Sites' }).waitFor()
      const page = await setting.open('/users')
      await page.getByRole('button', { name: 'Actions for Ada Admin' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByText('must sign in again to return').waitFor()
      await checkPage(page, `users-sign-out-${width}`)
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('Ada Admin signed out').waitFor()
      await other.reload()
      await other.getByRole('heading', { name: 'You were signed out' }).waitFor()
      await checkPage(other, `signed-out-${width}`)
      // A session that starts at the exact moment of the sign-out would be rejected.
      setting.world.clock.advance(1)
      await other.getByRole('link', { name: 'Sign in again' }).click()
      await other.getByLabel('Email').fill('ada@example.com')
      await other.getByLabel('Password').fill(password)
      await other.getByRole('button', { name: 'Sign in', exact: true }).click()
      await other.getByRole('heading', { name: 'Overview' }).waitFor()
      expect(faultsOf(page)).toEqual([])
      await page.close()
      await context.close()
    },
  )

  test('a password alone cannot ask others for more', async () => {
    const page = await setting.open('/settings')
    await page.getByText('You signed in with only a password').waitFor()
    expect(await page.getByLabel('Require two-factor authentication').isDisabled()).toBe(true)
    await checkPage(page, `settings-weak-${width}`)
    await page.close()
  })

  soak('an owner asks for a second factor, is told who is locked out, and takes it back', async () => {
    const context = await signedIn(setting.browser, await signInWithApp())
    const page = await openPage(context, `${address}/settings`, width)
    await page.getByLabel('Require two-factor authentication').click()
    await page.getByText('One user has not set one up and will be locked out immediately').waitFor()
    await checkPage(page, `settings-second-factor-${width}`)
    await page.getByRole('button', { name: 'Require' }).click()
    await page.getByText('Two-factor authentication is now required').waitFor()
    await expect.poll(() => page.getByLabel('Require two-factor authentication').isChecked()).toBe(true)

    const out = await signedIn(setting.browser, colleague)
    await colleague.signIn('ada@example.com', password)
    await out.addCookies([...colleague.cookies].map(([name, value]) => ({ name, value, url: setting.url })))
    const other = await openPage(out, address, width)
    await other.getByRole('heading', { name: 'Two-factor authentication required' }).waitFor()
    await checkPage(other, `second-factor-needed-${width}`)
    await other.getByRole('link', { name: 'Set up two-factor authentication' }).click()
    await other.waitForURL(/\/security/)

    await page.getByLabel('Require two-factor authentication').click()
    await page.getByText('Two-factor authentication is no longer required').waitFor()
    await other.goto(address)
    await other.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goto(`${address}/users`)
    await page.setViewportSize({ width: 1280, height: 800 })
    const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
    await rows.filter({ hasText: 'Olivia Owner' }).getByText('Set up').waitFor()
    await rows.filter({ hasText: 'Ada Admin' }).getByText('None').waitFor()
    await out.close()
    await context.close()
  })

  /** Signs the owner in again with a code from an authenticator app. */
  async function signInWithApp(): Promise<Visitor> {
    const { visitor, world, url } = setting
    const codeNow = (key: string) => totpAt(key, Math.floor(Date.parse(world.clock.now()) / 30_000))
    await visitor.get('/security/authenticator')
    const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(visitor.text)?.[1]?.replaceAll(' ', '') ?? ''
    await visitor.submit('/security/authenticator', { code: codeNow(key) })
    world.clock.advance(60)
    const strong = await new Visitor(url).signIn('owner@example.com', password)
    await strong.follow()
    return strong.submit('/sign-in/code', { code: codeNow(key) })
  }
})
