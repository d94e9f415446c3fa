import type { Client } from '@gatehouse-access/sdk'
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
/** Their dialogs, which take as long as the screens. */
const dialogs = [
  ...['/groups?new', '/schedules?new', '/calendars?new', '/cards?new', '/sites?new', '/gadgets?new'],
  ...['/unlock-rules?new', '/devices?new', '/triggers?new', '/tags?new', '/users?new'],
]
const titles = { es: 'Resumen', de: 'Übersicht', fr: 'Aperçu' }

/** Returns the pages of one object of each kind; that of a member with credentials. */
async function makeDetails(client: Client): Promise<readonly string[]> {
  const [group] = (await client.member_groups.list({ q: 'Guests' })).data
  const member = await client.members.create({ name: 'Greta', ends_at: '2035-06-01T00:00:00Z' })
  await client.member_group_associations.create(member.id, { member_group_id: group?.id ?? '' })
  await client.member_pins.create(member.id, {})
  const card = await client.cards.create({ uid: '04A1B2C3D4E5BB' })
  await client.member_cards.create(member.id, { card_id: card.id })
  const [gadget, site, schedule, device, event] = await Promise.all(
    (['gadgets', 'sites', 'schedules', 'devices', 'events'] as const).map(
      async plural => (await client[plural].list({ limit: 1 })).data[0]?.id,
    ),
  )
  return [
    ...[`/members/${member.id}`, `/gadgets/${gadget}`, `/gadgets/${gadget}/review`, `/sites/${site}`],
    ...[`/schedules/${schedule}`, `/groups/${group?.id}`, `/devices/${device}`, `/events/${event}`],
    `/cards/${card.id}`,
  ]
}

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
  const badges = [...document.querySelectorAll('.mantine-Badge-label')]
  cut.push(...badges.filter(label => label.checkVisibility() && label.scrollWidth > label.clientWidth + 1))
  const is_wider = document.documentElement.scrollWidth > window.innerWidth
  return [...cut.map(({ textContent }) => textContent ?? ''), ...(is_wider ? ['the page'] : [])]
}

/** Returns the sentences that stand in a column of a few words, beside something that leaves them no room. */
function findSqueezed(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  const range = document.createRange()
  while (walker.nextNode()) {
    range.selectNodeContents(walker.currentNode)
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
    if (lines.size > 6 && range.getBoundingClientRect().width < window.innerWidth * 0.45)
      found.push(walker.currentNode.textContent ?? '')
  }
  return found
}

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting
  let context: BrowserContext
  let details: readonly string[]

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    context = await signedIn(setting.browser, setting.visitor)
    details = await makeDetails(setting.client)
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
    const page = await open('/')
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.close()
    await checkTexts(
      language,
      isSoak ? [...screens, ...dialogs] : screens.filter((_, place) => place % 3 === 0),
    )
  })

  test.each(languages)('the page of each object speaks %s', within(90), async language => {
    await context.addCookies([{ name: 'gatehouse_language', value: language, url: setting.url }])
    // Those of a member and of a door have the most texts.
    await checkTexts(language, isSoak ? details : details.slice(0, 2))
  })

  /** Nothing is English, and on a phone nothing is cut or squeezed. */
  async function checkTexts(language: string, paths: readonly string[]): Promise<void> {
    const faults: string[] = []
    for (const path of paths) {
      const page = await open(path)
      await page.waitForLoadState('networkidle')
      faults.push(...(await textsOf(page)).filter(isEnglish).map(text => `${path}: ${text}`))
      await checkPage(page, `${language}${path.replaceAll(/\W/g, '-')}-${width}`)
      await page.setViewportSize(looks.phone)
      faults.push(...(await page.evaluate(findCut)).map(text => `${path} cuts ${text}`))
      faults.push(...(await page.evaluate(findSqueezed)).map(text => `${path} squeezes ${text}`))
      await page.close()
    }
    expect(faults).toEqual([])
  }

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
