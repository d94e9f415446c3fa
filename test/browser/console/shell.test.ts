import { soak } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { password, signUp } from '../../oauth/people.ts'
import {
  checkPage,
  looks,
  openPage,
  openSetting,
  type Setting,
  settle,
  signedIn,
  waitUntilLive,
  widthsFor,
} from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  async function openAccount(page: Page): Promise<void> {
    if (width === 'phone') await page.getByRole('button', { name: 'Open menu' }).click()
    await page
      .getByRole('button', { name: /Your account/ })
      .filter({ visible: true })
      .click()
  }

  test('who is not signed in signs in first, and comes back to where it wanted to go', async () => {
    const context = await setting.browser.newContext({ locale: 'en-GB', viewport: looks[width] })
    const page = await context.newPage()
    await page.goto(`${setting.url}/o/${setting.organization_id}/members?q=Night`)
    await page.locator('#email').fill('owner@example.com')
    await page.locator('#password').fill(password)
    await page.locator('form[action="/sign-in"] button').first().click()
    await page.getByRole('link', { name: 'Night manager' }).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/o/${setting.organization_id}/members`)
    await context.close()
  })

  soak('signing out ends the session', async () => {
    const context = await setting.browser.newContext({ locale: 'en-GB', viewport: looks[width] })
    const page = await context.newPage()
    await page.goto(`${setting.url}/sign-in?return_to=%2F`)
    await page.locator('#email').fill('owner@example.com')
    await page.locator('#password').fill(password)
    await page.locator('form[action="/sign-in"] button').first().click()
    await openAccount(page)
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/sign-in/)
    await page.goto(setting.url)
    await page.waitForURL(/sign-in/)
    await context.close()
  })

  soak('somebody without an organization is welcomed and makes one', async () => {
    await signUp(setting.world, 'new@example.com')
    const context = await setting.browser.newContext({ locale: 'en-GB', viewport: looks[width] })
    const page = await context.newPage()
    await page.goto(`${setting.url}/sign-in?return_to=%2F`)
    await page.locator('#email').fill('new@example.com')
    await page.locator('#password').fill(password)
    await page.locator('form[action="/sign-in"] button').first().click()
    await page.getByRole('heading', { name: 'Welcome to Gatehouse' }).waitFor()
    await checkPage(page, `welcome-${width}`)
    await page.getByLabel('Name').fill('Gym on the corner')
    await page.getByLabel('Gym', { exact: true }).check()
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.waitForURL(/\/o\/org_/)
    await expect
      .poll(() => page.getByRole('button', { name: /Gym on the corner/ }).count())
      .toBeGreaterThan(0)
    await context.close()
  })

  soak('Ctrl-K finds screens, people, doors and ids, by keyboard alone', async () => {
    const page = await setting.open('/members')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('front')
    await page.getByRole('option', { name: /Front door/ }).waitFor()
    await checkPage(page, `search-${width}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/gadgets\/gad_/)
    const id = new URL(page.url()).pathname.split('/').at(-1) as string
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(id)
    await page.getByRole('option', { name: /Front door/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('sched')
    await page.getByRole('option', { name: /Schedules/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/schedules$/)
    await page.close()
  })

  soak('the appearance is chosen and kept', async () => {
    const page = await setting.open('/members')
    await openAccount(page)
    await page.getByText('Dark', { exact: true }).click()
    const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)
    await expect.poll(scheme).toBe('dark')
    await page.reload()
    await expect.poll(scheme).toBe('dark')
    await page.evaluate(() => localStorage.removeItem('mantine-color-scheme-value'))
    await page.close()
  })

  if (width === 'phone')
    test('the menu is a drawer, and the main screens are below', async () => {
      const page = await setting.open('/')
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'Groups' }).click()
      await page.waitForURL(/\/groups$/)
      await page
        .getByRole('navigation', { name: 'Main screens' })
        .getByRole('link', { name: 'Members' })
        .click()
      await page.waitForURL(/\/members$/)
      await settle(page)
      await page.close()
    })

  soak('an organization that is not yours, and a page that is not there, say so', async () => {
    const page = await setting.open('/members')
    await page.goto(`${setting.url}/o/org_00000000000000000000/members`)
    await page.getByText('You do not have access to this organization').waitFor()
    for (const path of ['/nothing', '/sites/x/y', '/members/x/y', '/developers/nothing', '/groups/x/y']) {
      await page.goto(`${setting.url}/o/${setting.organization_id}${path}`)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    }
    await page.close()
  })

  test('a form sent after the session ended keeps what was typed, and leads to the sign-in', async () => {
    const context = await signedIn(setting.browser, setting.visitor)
    const page = await openPage(context, `${setting.url}/o/${setting.organization_id}/groups?new`, width)
    await waitUntilLive(page)
    await settle(page)
    await page.getByRole('dialog').getByLabel('Name').fill('Night shift')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Create group' }).click()
    await page.getByText(/Your session has ended\. Sign in again(?!\.)/).waitFor()
    await checkPage(page, `session-ended-${width}`)
    await expect.poll(() => page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Night shift')
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.waitForURL(/\/sign-in\?return_to=.*groups/)
    await context.close()
  })
})
