import { isSoak, within } from '@gatehouse-access/testkit'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, looks, openPage, openSetting, type Setting, signedIn, widthsFor } from './setting.ts'

const screens = [
  ...[
    '/',
    '/events',
    '/reports',
    '/alarms',
    '/alarms/rules',
    '/emergencies',
    '/members',
    '/members?new',
    '/groups',
  ],
  ...['/groups/who', '/schedules', '/calendars', '/cards', '/sites', '/gadgets', '/unlock-rules', '/devices'],
  ...['/triggers', '/tags', '/jobs', '/users', '/applications', '/notifications', '/privacy', '/settings'],
  ...['/developers', '/developers/keys'],
]
const titles = { es: 'Resumen', de: 'Übersicht', fr: 'Aperçu' }

/** Words that every English sentence has one of, and the other languages none. */
const words = /\b(the|and|with|from|since|could|which|this|are|you|your|not|every)\b/i

function isEnglish(text: string): boolean {
  return words.test(text.replaceAll('Guest of the demo', ''))
}

/** Returns the texts of controls that are cut, and whether the page is wider than the window. */
function findCut(): string[] {
  const controls = document.querySelectorAll('button, a[class*=Button-root], label, legend')
  const parts = [...controls].flatMap(control => [control, ...control.querySelectorAll('*')])
  const cut = parts.filter(
    part =>
      part.textContent &&
      part.checkVisibility() &&
      part.clientWidth > 1 &&
      part.scrollWidth > part.clientWidth + 1 &&
      getComputedStyle(part).overflowX !== 'visible',
  )
  const is_wider = document.documentElement.scrollWidth > window.innerWidth
  return [...cut.map(({ textContent }) => textContent ?? ''), ...(is_wider ? ['the page'] : [])]
}

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting
  let context: BrowserContext

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    context = await signedIn(setting.browser, setting.visitor)
  })
  afterAll(async () => {
    await context.close()
    await setting[Symbol.asyncDispose]()
  })

  const open = (path: string) =>
    openPage(context, `${setting.url}/o/${setting.organization_id}${path}`, width)

  /** Everything that people read, or have read to them, except names. */
  const textsOf = (page: Page) =>
    page.evaluate(() => {
      const said = ['aria-label', 'placeholder', 'title', 'alt']
      const attributes = [...document.querySelectorAll('body *')].flatMap(element =>
        said.flatMap(name => element.getAttribute(name) ?? []),
      )
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts: string[] = []
      while (walker.nextNode())
        if (!walker.currentNode.parentElement?.closest('bdi, code, pre, style, script, option'))
          texts.push(walker.currentNode.textContent ?? '')
      return [...texts, ...attributes]
    })

  test('a form that the service refuses says why in the language of the user', async () => {
    await setting.client.cards.create({ uid: '04A1B2C3D4E5AA' })
    await context.addCookies([{ name: 'gatehouse_language', value: 'de', url: setting.url }])
    const page = await open('/cards?new')
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'UID' }).fill('04A1B2C3D4E5AA')
    await form.locator('button[type=submit]').click()
    await form.getByText('Das ist schon vergeben.').waitFor()
    expect((await textsOf(page)).filter(isEnglish)).toEqual([])
    await page.close()
  })

  /** All are built the same way, so that one of them shows what nobody marked. */
  const languages = Object.entries(titles).filter(([language]) => isSoak || language === 'de')

  test.each(languages)('every screen speaks %s', within(180), async (language, title) => {
    await context.addCookies([{ name: 'gatehouse_language', value: language, url: setting.url }])
    const left: string[] = []
    for (const path of screens) {
      const page = await open(path)
      if (path === '/') {
        expect(await page.locator('html').getAttribute('lang')).toBe(language)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
      }
      await page.waitForLoadState('networkidle')
      left.push(...(await textsOf(page)).filter(isEnglish).map(text => `${path}: ${text}`))
      await checkPage(page, `${language}${path.replaceAll(/\W/g, '-')}-${width}`)
      await page.setViewportSize(looks.phone)
      expect([path, await page.evaluate(findCut)]).toEqual([path, []])
      await page.close()
    }
    expect(left).toEqual([])
  })

  test('the language is chosen in the menu of the user, and kept', within(60), async () => {
    await context.clearCookies({ name: 'gatehouse_language' })
    const page = await open('/groups')
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor()
    if (width === 'phone') await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('button', { name: /Your account/ }).click()
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('heading', { level: 1, name: 'Gruppen' }).waitFor()
    await checkPage(page, `german-groups-${width}`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Gruppen' }).waitFor()
    await page.close()
  })
})
