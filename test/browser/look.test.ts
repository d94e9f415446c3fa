import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSetting, type Setting } from './console/setting.ts'

let setting: Setting

beforeAll(async () => {
  setting = await openSetting('hotel')
})
afterAll(() => setting[Symbol.asyncDispose]())

/** Where each page has a button that is pressed first, if it has one. */
const pages = {
  console: {
    path: () => `/o/${setting.organization_id}/members`,
    button: '.mantine-Button-root[data-variant=filled], .mantine-Button-root:not([data-variant])',
  },
  'sign in': { path: () => '/sign-in', button: 'main button:not([class])' },
  account: { path: () => '/security/authenticator', button: 'main button:not([class])' },
  guest: { path: () => '/guest', button: '.act' },
  documentation: { path: () => '/docs', button: undefined },
} as const
type Name = keyof typeof pages

/** How a page looks, as the browser computed it. */
async function readLook(page: Page, button: string | undefined) {
  if (button !== undefined) await page.locator(button).first().waitFor()
  return page.evaluate(selector => {
    const styleOf = (element: Element) => getComputedStyle(element)
    const probe = document.body.appendChild(document.createElement('a'))
    probe.style.color = 'var(--accent)'
    const accent = styleOf(probe).color
    probe.remove()
    const { fontFamily: font, color: ink } = styleOf(document.body)
    const pressed = selector === undefined ? null : document.querySelector(selector)
    const control = pressed && {
      fill: styleOf(pressed).backgroundColor,
      ink: styleOf(pressed).color,
      corner: styleOf(pressed).borderTopLeftRadius,
      font: styleOf(pressed).fontFamily,
    }
    return { page: { font, ink, accent }, control }
  }, button)
}

test.each(['light', 'dark'] as const)('all pages share type, colours and controls, %s', async scheme => {
  const context = await setting.browser.newContext({ locale: 'en-GB', colorScheme: scheme })
  const look = async (name: Name, isKnown: boolean) => {
    await context.clearCookies()
    const cookies = [...setting.visitor.cookies].map(([key, value]) => ({
      name: key,
      value,
      url: setting.url,
    }))
    if (isKnown) await context.addCookies(cookies)
    const page = await context.newPage()
    await page.goto(setting.url + pages[name].path())
    const read = await readLook(page, pages[name].button)
    await page.close()
    return read
  }
  const shared = await look('console', true)
  expect(shared.control).not.toBeNull()
  for (const name of ['sign in', 'account', 'guest'] as const)
    expect([name, await look(name, name === 'account')]).toEqual([name, shared])
  expect((await look('documentation', false)).page).toEqual(shared.page)
})
