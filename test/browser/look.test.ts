import { isSoak } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../packages/server/src/flow/present.ts'
import { type Look, looks, openSetting, type Setting } from './console/setting.ts'

let setting: Setting

beforeAll(async () => {
  setting = await openSetting('hotel')
})
afterAll(() => setting[Symbol.asyncDispose]())

/** Where each page has a button that is pressed first. */
const pages = {
  console: {
    path: () => `/o/${setting.organization_id}/members`,
    button: '.mantine-Button-root[data-variant=filled], .mantine-Button-root:not([data-variant])',
  },
  'sign in': { path: () => '/sign-in', button: 'main button:not([class])' },
  account: { path: () => '/security/authenticator', button: 'main button:not([class])' },
  'log in a terminal': { path: () => '/device', button: 'main button:not([class])' },
  guest: { path: () => '/guest', button: '.act' },
  documentation: { path: () => '/docs', button: 'figcaption button' },
} as const
type Name = keyof typeof pages
const known: ReadonlySet<Name> = new Set(['account', 'log in a terminal'])

/** How a page looks, as the browser computed it. */
async function readLook(page: Page, button: string) {
  await page.locator(button).first().waitFor()
  return page.evaluate(selector => {
    const styleOf = (element: Element) => getComputedStyle(element)
    const probe = document.body.appendChild(document.createElement('a'))
    probe.style.color = 'var(--accent)'
    const accent = styleOf(probe).color
    probe.remove()
    const { fontFamily: font, color: ink } = styleOf(document.body)
    const pressed = document.querySelector(selector)
    const control = pressed && {
      fill: styleOf(pressed).backgroundColor,
      ink: styleOf(pressed).color,
      corner: styleOf(pressed).borderTopLeftRadius,
      font: styleOf(pressed).fontFamily,
    }
    return { page: { font, ink, accent }, control }
  }, button)
}

const checked: readonly Look[] = isSoak ? ['desktop', 'night', 'phone', 'phone-night'] : ['desktop', 'night']

test.each(checked)('all pages share type, colours and controls, %s', async worn => {
  const { width, height, scheme } = looks[worn]
  const viewport = { width, height }
  const context = await setting.browser.newContext({ locale: 'en-GB', colorScheme: scheme, viewport })
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
  for (const name of ['sign in', 'account', 'log in a terminal', 'guest'] as const)
    expect([name, await look(name, known.has(name))]).toEqual([name, shared])
  // Its buttons stand beside examples, so they are not filled.
  const { page, control } = await look('documentation', false)
  expect(page).toEqual(shared.page)
  const { corner, font } = present(shared.control, 'a button')
  expect(control).toMatchObject({ corner, font })
})

test.each(['light', 'dark'] as const)('the button of a mail is that of the pages, %s', async scheme => {
  const context = await setting.browser.newContext({ colorScheme: scheme })
  const page = await context.newPage()
  await page.goto(`${setting.url}/sign-in`)
  const { control } = await readLook(page, pages['sign in'].button)
  // Without the page's policy, which would forbid the styles of the mail.
  await page.goto('about:blank')
  await page.setContent(await invite(`${scheme}@example.com`))
  const { fill, ink, corner } = present(control, 'a button')
  expect((await readLook(page, 'a.button')).control).toMatchObject({ fill, ink, corner })
  await context.close()
})

/** Returns the mail that invites somebody. */
async function invite(email: string): Promise<string> {
  const path = `/account/organizations/${setting.organization_id}/invitations`
  await setting.visitor.account('POST', path, { email, role: 'viewer' })
  const { outbox } = setting.world.server.context.mailer
  return present(outbox?.find(({ to }) => to === email)?.html, 'the mail')
}
