import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sendInvitations } from '@gatehouse-access/server'
import { isSoak, soak, type Tenant, type World } from '@gatehouse-access/testkit'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { looksInTurn } from './faults.ts'
import {
  bookGuest,
  type GuestStage,
  here,
  inspectIn,
  makeHouse,
  openGuestStage,
  openPhone,
  type Screen,
  screens,
} from './guest-house.ts'

let stage: GuestStage
let w: World
let browser: Browser
let tenant: Tenant
let house: GuestStage['house']

beforeAll(async () => {
  stage = await openGuestStage({ has_picture: true })
  ;({ w, browser, tenant, house } = stage)
})
afterAll(() => stage[Symbol.asyncDispose]())

const book = (credentials?: object, member?: object) => bookGuest(tenant, house.group, credentials, member)

async function openHome(page: Page, link: string | undefined): Promise<void> {
  await page.goto(link as string)
  await page.locator('.door:not(.ghost)').first().waitFor()
}

/**
 * Outcomes normally disappear after four seconds. Here they stay until `endOutcomes`, so that a slow machine
 * does not matter.
 */
async function holdOutcomes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const wait = window.setTimeout
    const held: (() => void)[] = []
    Object.assign(window, { held })
    window.setTimeout = ((run: () => void, delay: number) =>
      delay === 4000 ? held.push(run) : wait(run, delay)) as never
  })
}

async function endOutcomes(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const run of (window as unknown as { held: (() => void)[] }).held) run()
  })
}

/** Names those whose text comes closer than 12 pixels to their edge, or is broken into lines. */
function findCramped(buttons: Element[]): string[] {
  const isCramped = (button: Element) => {
    const range = document.createRange()
    range.selectNodeContents(button)
    const { width } = range.getBoundingClientRect()
    return range.getClientRects().length > 1 || button.getBoundingClientRect().width < width + 24
  }
  return buttons.filter(isCramped).map(button => button.textContent)
}

function door(page: Page, name: string) {
  return page.locator('.door', { hasText: name })
}

const headingOf = (page: Page, name: string) =>
  page.locator(`xpath=//li[.//strong[.="${name}"]]/parent::ul/preceding-sibling::h2[1]`).textContent()

/** What a guest sees on the way to a door. The rest is inspected in `npm run soak`. */
const alwaysInspected = /^(home|opened|why-location|sign-in|choose|gone|language-ar)-/

async function inspect(page: Page, name: string): Promise<void> {
  if (!isSoak && !alwaysInspected.test(name)) return
  for (const scheme of looksInTurn(name, ['light', 'dark'] as const)) await inspectIn(page, scheme, name)
}

const languages = {
  en: 'You can open now',
  es: 'Puedes abrir ahora',
  de: 'Das können Sie jetzt öffnen',
  fr: 'Vous pouvez ouvrir maintenant',
  it: 'Puoi aprire ora',
  pt: 'Pode abrir agora',
  ar: 'يمكنك الفتح الآن',
}

/** In `npm test`: Arabic is right-to-left. All in `npm run soak`. */
const spoken = ['en', 'ar']

test('all languages say the same things with the same gaps', async () => {
  const folder = resolve(import.meta.dirname, '../../packages/web/guest/texts')
  const files = (await readdir(folder)).sort()
  expect(files).toEqual(['ar.json', 'de.json', 'en.json', 'es.json', 'fr.json', 'it.json', 'pt.json'])
  const read = async (file: string) =>
    JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<string, string>
  const gapsOf = (texts: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, (text.match(/\{\w+\}/g) ?? []).sort()]),
    )
  const english = gapsOf(await read('en.json'))
  for (const file of files) expect([file, gapsOf(await read(file))]).toEqual([file, english])
})

test('the whole first screen is under 30 KB, in every language', async () => {
  for (const language of Object.keys(languages)) {
    const answer = await fetch(`${w.url}/guest`, {
      headers: { 'accept-language': language, 'accept-encoding': 'identity' },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThan(30 * 1024)
    expect(bytes.toString()).not.toMatch(/<script[^>]+src=|<link[^>]+stylesheet/)
  }
})

soak('at a desk the page is as well as on a phone', async () => {
  const { magic_links } = await book()
  const { context, page, strange } = await openPhone(browser, w, screens.desktop)
  await openHome(page, magic_links[0]?.link)
  await page.getByRole('button', { name: 'Open: Front door' }).click()
  await page.getByText('Front door').first().waitFor()
  await inspect(page, 'home-desktop')
  expect(strange).toEqual([])
  await context.close()
})

/** Guests use phones, so their flows run on a phone, and in `npm run soak` also on a desktop. */
const used: readonly Screen[] = isSoak ? ['phone', 'desktop'] : ['phone']

describe.each(used)('on a %s', screen => {
  const open = (options: BrowserContextOptions = {}) =>
    openPhone(browser, w, { ...screens[screen], ...options })
  const press = (place: Locator) => (screen === 'phone' ? place.tap() : place.click())

  test('a magic link opens the page; the secret leaves the address; the doors are big buttons', async () => {
    const { magic_links } = await book()
    const { context, page, strange } = await open()
    await openHome(page, magic_links[0]?.link)
    expect(page.url()).toBe(`${w.server.context.config.public_url}/guest`)
    await expect.poll(() => page.locator('h1').textContent()).toBe('Miramar Madrid')
    await expect.poll(() => page.locator('body').textContent()).not.toContain('Never shown')
    const button = page.getByRole('button', { name: 'Open: Front door' })
    const size = await button.boundingBox()
    expect(size?.height).toBeGreaterThanOrEqual(56)
    expect(size?.width).toBeGreaterThan(280)
    await page.locator('.masthead img').evaluate((image: HTMLImageElement) => image.decode())
    await inspect(page, `home-${screen}`)
    expect(strange).toEqual([])
    await context.close()
  })

  test('a tap opens the door and says so to eyes and ears', async () => {
    const { id, magic_links } = await book()
    const { context, page, strange } = await open()
    await holdOutcomes(page)
    await openHome(page, magic_links[0]?.link)
    const held = Promise.withResolvers<void>()
    await page.route('**/actions/open', async route => {
      await held.promise
      await route.continue()
    })
    await press(page.getByRole('button', { name: 'Open: Front door' }))
    await page.getByRole('button', { name: 'Opening…: Front door' }).waitFor()
    await inspect(page, `opening-${screen}`)
    held.resolve()
    await page.getByRole('button', { name: 'Opened: Front door' }).waitFor()
    await expect.poll(() => door(page, 'Front door').getByRole('status').textContent()).toBe('Opened')
    await inspect(page, `opened-${screen}`)
    const { data } = await tenant.client.events.list({
      'subject.member_id': id,
      'object.type': 'gadget_action',
    } as never)
    expect(data).toMatchObject([
      {
        verb: 'use',
        object: { gadget_id: house.doors.front },
        subject: { access_method: 'online', client: { browser: 'Chrome' } },
      },
    ])
    expect(strange).toEqual([])
    await context.close()
  })

  soak('a gadget with several actions has a button for each, to be used again', async () => {
    const { magic_links } = await book()
    const { context, page } = await open()
    await holdOutcomes(page)
    await openHome(page, magic_links[0]?.link)
    await press(page.getByRole('button', { name: 'Down: Lift' }))
    await page.getByRole('button', { name: 'Done: Lift' }).waitFor()
    await endOutcomes(page)
    await page.getByRole('button', { name: 'Down: Lift' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Up: Lift' }).count()).toBe(1)
    await context.close()
  })

  test('doors for later say when, in the time of the site; those for the keypad say so', async () => {
    const { magic_links } = await book()
    const { context, page } = await open({ timezoneId: 'America/New_York' })
    await openHome(page, magic_links[0]?.link)
    await expect
      .poll(() => page.locator('.later', { hasText: 'Pool' }).textContent())
      .toContain('Opens tomorrow at 15:00')
    await expect
      .poll(() => page.locator('.later', { hasText: 'Wine cellar' }).textContent())
      .toContain('Use your PIN at the keypad.')
    expect(await headingOf(page, 'Pool')).toBe('Later')
    expect(await headingOf(page, 'Wine cellar')).toBe('You can open now')
    expect(await headingOf(page, 'Garage')).toBe('Cannot be reached now')
    expect(await page.locator('section:has(.pin) > h2').textContent()).toBe('Your PIN')
    await expect.poll(() => page.getByText('Times are local to Madrid').count()).toBe(1)
    await context.close()
  })

  test('the location is asked for only where a rule needs it, after saying why', async () => {
    const { magic_links } = await book()
    const { context, page } = await open({
      geolocation: { latitude: 40.4195, longitude: -3.7038 },
    })
    await page.addInitScript(() => {
      const asked = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation)
      navigator.geolocation.getCurrentPosition = (...given) => {
        document.documentElement.dataset.asked = String(
          Number(document.documentElement.dataset.asked ?? 0) + 1,
        )
        asked(...given)
      }
    })
    const asked = () => page.evaluate(() => document.documentElement.dataset.asked)
    await openHome(page, magic_links[0]?.link)
    await press(page.getByRole('button', { name: 'Open: Front door' }))
    await page.getByRole('button', { name: 'Opened: Front door' }).waitFor()
    expect(await asked()).toBeUndefined()
    const gate = door(page, 'Garden gate')
    await press(gate.getByRole('button'))
    await gate.getByText('opens only near Miramar Madrid').waitFor()
    expect(await asked()).toBeUndefined()
    await inspect(page, `why-location-${screen}`)
    await context.grantPermissions(['geolocation'])
    await press(gate.getByRole('button', { name: 'Continue' }))
    await gate.getByText('You are 300 m away. Come closer to Miramar Madrid and try again.').waitFor()
    expect(await asked()).toBe('1')
    await inspect(page, `too-far-${screen}`)
    await context.setGeolocation(here)
    await press(gate.getByRole('button'))
    await page.getByRole('button', { name: 'Opened: Garden gate' }).waitFor()
    await context.close()
  })

  soak('a location that is refused leads to what to do', async () => {
    const { magic_links } = await book()
    const { context, page } = await open()
    await openHome(page, magic_links[0]?.link)
    const gate = door(page, 'Garden gate')
    await press(gate.getByRole('button'))
    await press(gate.getByRole('button', { name: 'Continue' }))
    await gate.getByText('Your location is not available.').waitFor()
    await context.close()
  })

  test('an offline door leads to the PIN, or to the card and the phone of the house', async () => {
    const with_pin = await book()
    const { context, page } = await open()
    await openHome(page, with_pin.magic_links[0]?.link)
    const garage = door(page, 'Garage')
    const hints = garage.locator('.near')
    expect(await hints.allTextContents()).toEqual(['Use your PIN at the keypad.'])
    await press(garage.getByRole('button'))
    await garage.getByText('The door is offline. Use your PIN at the keypad.').waitFor()
    expect(await hints.count()).toBe(0)
    await inspect(page, `door-offline-${screen}`)
    await openHome(page, (await book({ magic_link: true })).magic_links[0]?.link)
    const ways = ['A card opens it at the reader.', 'Call \u2066+34 910 000 000\u2069.']
    await expect.poll(() => hints.allTextContents()).toEqual(ways)
    await press(garage.getByRole('button'))
    await garage.getByText(['The door is offline.', ...ways].join(' ')).waitFor()
    await context.close()
  })

  soak('a stay that has not begun says when it does; a door tried by then says so too', async () => {
    const tomorrow = Temporal.Now.zonedDateTimeISO('Europe/Madrid')
      .add({ days: 1 })
      .with({ hour: 15, minute: 0, second: 0 })
    const { magic_links } = await book(undefined, { starts_at: tomorrow.toInstant().toString() })
    const { context, page } = await open()
    await page.goto(magic_links[0]?.link as string)
    await page.getByText('Your stay starts tomorrow at 15:00.').waitFor()
    await expect.poll(() => page.locator('.door').count()).toBe(0)
    await expect
      .poll(() => page.locator('.later', { hasText: 'Front door' }).textContent())
      .toContain('Opens tomorrow at 15:00')
    await inspect(page, `not-yet-${screen}`)
    await context.close()
  })

  soak('a rule that changes under an open page is told by the next tap', async () => {
    const { id, magic_links } = await book()
    const { context, page } = await open()
    await openHome(page, magic_links[0]?.link)
    const later = Temporal.Now.zonedDateTimeISO('Europe/Madrid')
      .add({ days: 1 })
      .with({ hour: 15, minute: 0, second: 0 })
    await tenant.client.members.edit(id, { starts_at: later.toInstant().toString() })
    await press(page.getByRole('button', { name: 'Open: Front door' }))
    await door(page, 'Front door').getByText('Your stay starts tomorrow at 15:00.').waitFor()
    await context.close()
  })

  test('a door that is locked down says that it is closed for now, with whom to ask, and no more', async () => {
    const { client } = tenant
    const { magic_links } = await book()
    const { context, page } = await open()
    await openHome(page, magic_links[0]?.link)
    await client.gadgets.edit(house.doors.front, { door: { release_action_id: 'open' } })
    const { id } = await client.emergencies.create({
      type: 'lockdown',
      targets: { gadget_ids: [house.doors.front] },
    })
    await press(page.getByRole('button', { name: 'Open: Front door' }))
    const text = 'Closed for now. Call \u2066+34 910 000 000\u2069.'
    await door(page, 'Front door').getByText(text).waitFor()
    await page.reload()
    await page.locator('.later').filter({ hasText: 'Front door' }).getByText(text).waitFor()
    expect(await page.content()).not.toMatch(/lockdown|emergency/i)
    await client.emergencies.end(id)
    await page.reload()
    await page.getByRole('button', { name: 'Open: Front door' }).waitFor()
    await context.close()
  })

  test('a guest who is removed is told by the next tap, with whom to ask', async () => {
    const { id, magic_links } = await book()
    const { context, page } = await open()
    await openHome(page, magic_links[0]?.link)
    await tenant.client.members.delete(id)
    await press(page.getByRole('button', { name: 'Open: Front door' }))
    await page.getByRole('heading', { name: 'Your access has ended' }).waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Call' }).getAttribute('href'))
      .toBe('tel:+34910000000')
    await inspect(page, `gone-${screen}`)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
    await context.close()
  })

  soak('a guest whose stay is over reads that, not that somebody took the access back', async () => {
    const { id, magic_links } = await book()
    const { context, page } = await open()
    await openHome(page, magic_links[0]?.link)
    const yesterday = Temporal.Now.instant().subtract({ hours: 30 }).toString()
    await tenant.client.members.edit(id, { starts_at: null, ends_at: yesterday })
    await tenant.client.members.delete(id)
    await page.reload()
    await page
      .getByRole('status')
      .getByText(/^Your stay at .* ended /)
      .waitFor()
    await page.goto('about:blank')
    await page.goto(magic_links[0]?.link as string)
    await page
      .getByRole('status')
      .getByText(/^Your stay at .* ended /)
      .waitFor()
    expect(await page.getByText('has ended this access').count()).toBe(0)
    await context.close()
  })

  test('site info, address, phone and mail are there, each a tap away', async () => {
    const { magic_links } = await book()
    const { context, page } = await open()
    await openHome(page, magic_links[0]?.link)
    const info = page.locator('.info')
    await expect.poll(() => info.textContent()).toContain('The pool is on the roof.')
    await expect.poll(() => info.textContent()).toContain('Calle Mayor 1, Madrid')
    await expect
      .poll(() => info.getByRole('link', { name: 'Email' }).getAttribute('href'))
      .toBe('mailto:desk%40miramar.example')
    await expect
      .poll(() => info.getByRole('link', { name: 'Directions' }).getAttribute('href'))
      .toMatch(/^(geo|maps):/)
    await expect
      .poll(() => page.locator('.masthead img').getAttribute('src'))
      .toContain('/member/v1/pictures/')
    const hasEdge = (button: Element) => getComputedStyle(button).borderTopStyle === 'solid'
    for (const button of await page.locator('.quiet, .contacts a').all())
      expect([await button.textContent(), await button.evaluate(hasEdge)]).toEqual([expect.anything(), true])
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 700 })
      expect([width, await info.locator('.contacts > *').evaluateAll(findCramped)]).toEqual([width, []])
    }
    await context.close()
  })

  test('an email and a code sign in; several stays can be chosen from', async () => {
    const email = `pat-${screen}@example.com`
    await book({ emails: [email] })
    const other = await w.tenant('Corner Gym')
    const gym = await makeHouse(other, null)
    await bookGuest(other, gym.group, { emails: [email] }, { ends_at: '2030-01-01T00:00:00Z' })
    const { context, page, strange } = await open()
    await page.goto(`${w.server.context.config.public_url}/guest`)
    await page.getByLabel('Email').and(page.locator(':focus')).waitFor()
    await inspect(page, `sign-in-${screen}`)
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong or has expired.').waitFor()
    // Tests send no mail, as a service that only its own machine reaches.
    await page.getByText('the code is in the outbox of the service').waitFor()
    expect(await page.getByRole('link', { name: 'Open the outbox' }).getAttribute('href')).toBe('/outbox')
    await press(page.getByRole('button', { name: 'Get a new code' }))
    await page.getByRole('status').getByText('at most five codes an hour').waitFor()
    const sent = () => w.server.context.mailer.outbox?.filter(({ to }) => to === email).length
    await expect.poll(sent).toBe(2)
    expect(await page.getByRole('alert').count()).toBe(0)
    await inspect(page, `code-${screen}`)
    const mail = w.server.context.mailer.outbox?.find(({ to }) => to === email)
    await page.getByLabel('Code').fill(/\d{6}/.exec(mail?.text ?? '')?.[0] as string)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Where do you want to open?' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.getByRole('button', { name: /Hotel Miramar\s*No end date/ }).waitFor()
    await inspect(page, `choose-${screen}`)
    await page.route('**/member/v1/sessions', route => route.fulfill({ status: 500, json: {} }))
    await press(page.getByRole('button', { name: /Corner Gym/ }))
    await page.getByRole('alert').getByText('Something went wrong.').waitFor()
    await inspect(page, `choose-failed-${screen}`)
    await page.unroute('**/member/v1/sessions')
    await press(page.getByRole('button', { name: /Corner Gym/ }))
    await page.getByText('Valid until').waitFor()
    await press(page.getByRole('button', { name: 'Sign out' }))
    await page.getByLabel('Email').waitFor()
    expect(strange).toEqual([])
    await context.close()
  })

  soak(
    'an invitation asked for with the grant leads from the mail to the door, in the language of the guest',
    async () => {
      const email = `invitada-${screen}@example.com`
      await tenant.client.grants.create({
        member: { language: 'es' },
        member_group_ids: [house.group],
        credentials: { emails: [email], magic_link: true, pin: {} },
        notify: true,
      })
      await sendInvitations(w.server.context)
      const { context, page, strange } = await open({ locale: 'es-ES' })
      await page.goto(`${w.server.context.config.public_url}/outbox`)
      await page.locator(`h2:text-is("Tu acceso a «Hotel Miramar»") + p:text-is("${email}")`).waitFor()
      await press(page.locator(`p:text-is("${email}") + pre`).getByRole('link'))
      const front = page.getByRole('button', { name: 'Abrir: Front door' })
      await front.waitFor()
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('es')
      await press(front)
      await page.getByRole('button', { name: 'Abierta: Front door' }).waitFor()
      expect(strange).toEqual([])
      await context.close()
    },
  )

  test('a link that is wrong says so and offers the email', async () => {
    const { context, page } = await open()
    await page.goto(`${w.server.context.config.public_url}/guest#mml_00000000000000000000_${'A'.repeat(43)}`)
    await page.getByText('This link does not work.').waitFor()
    await inspect(page, `bad-link-${screen}`)
    await context.close()
  })

  test('without the internet doors, times and PIN can be read, and the page is installable', async () => {
    const { magic_links, pins } = await book()
    const { context, page } = await open()
    await openHome(page, magic_links[0]?.link)
    await page.locator('.pin button:enabled').waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    const devtools = await context.newCDPSession(page)
    const { errors } = (await devtools.send('Page.getAppManifest')) as { errors: unknown[] }
    expect(errors).toEqual([])
    await context.setOffline(true)
    await page.reload()
    await page.getByText(/You are offline/).waitFor()
    expect(await headingOf(page, 'Front door')).toBe(
      'You can open these here once your phone is online again',
    )
    expect(await headingOf(page, 'Wine cellar')).toBe('You can open now')
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Your PIN',
      'You can open now',
      'You can open these here once your phone is online again',
      'Later',
      'Good to know',
    ])
    await door(page, 'Front door').getByText('Use your PIN at the keypad.').waitFor()
    await expect
      .poll(() => page.locator('.later', { hasText: 'Pool' }).textContent())
      .toContain('tomorrow at 15:00')
    await press(page.getByRole('button', { name: 'Show: Your PIN' }))
    await expect.poll(() => page.locator('.digits').textContent()).toBe(pins[0]?.pin)
    await inspect(page, `offline-${screen}`)
    await press(page.getByRole('button', { name: 'Open: Front door' }))
    await door(page, 'Front door').getByText('No connection.').waitFor()
    await context.setOffline(false)
    await context.close()
  })

  test('a network that goes without a word is told on every screen, at once after a tap, and so is its return', async () => {
    const { id, magic_links } = await book()
    const { context, page } = await open({ serviceWorkers: 'block' })
    await page.clock.install()
    const cut = () => page.route('**/*', route => route.abort())
    const mend = async () => {
      await page.unrouteAll()
      await page.clock.fastForward(10_000)
      await page.locator('.banner.offline').waitFor({ state: 'detached' })
    }
    const banner = (text: string) => page.getByRole('status').getByText(text)
    await openHome(page, magic_links[0]?.link)
    await cut()
    await press(page.getByRole('button', { name: 'Open: Front door' }))
    await banner('You are offline.').waitFor()
    expect(await page.evaluate(() => navigator.onLine)).toBe(true)
    await mend()
    await press(page.getByRole('button', { name: 'Sign out' }))
    await page.getByLabel('Email').fill('guest@example.com')
    await cut()
    await press(page.getByRole('button', { name: 'Send me a code' }))
    await banner('No connection.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await inspect(page, `offline-sign-in-${screen}`)
    await mend()
    await page.getByRole('alert').getByText('No connection.').waitFor()
    await tenant.client.members.delete(id)
    await page.goto('about:blank')
    await page.goto(magic_links[0]?.link as string)
    await page.getByRole('heading', { name: 'Your access has ended' }).waitFor()
    await cut()
    await page.clock.fastForward(10_000)
    await banner('No connection.').waitFor()
    await inspect(page, `offline-gone-${screen}`)
    await mend()
    await context.close()
  })

  test('a phone that stores nothing keeps its PINs; one that cannot be had keeps back no other, and comes later', async () => {
    const { id, magic_links } = await book()
    await tenant.client.member_pins.create(id, {})
    const { context, page } = await open({ serviceWorkers: 'block' })
    await page.addInitScript(() => {
      Storage.prototype.setItem = Storage.prototype.getItem = () => {
        throw new Error('no storage')
      }
    })
    let asked = 0
    await page.route('**/reveal', route =>
      ++asked === 1 ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
    )
    const readable = () => page.locator('.pin button:enabled').count()
    await openHome(page, magic_links[0]?.link)
    await expect.poll(readable).toBe(1)
    for (const _time of [1, 2]) {
      const refreshed = page.waitForResponse('**/home')
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await refreshed
      await expect.poll(readable).toBe(2)
    }
    expect(asked).toBe(3)
    await context.close()
  })

  test.each(Object.entries(languages).filter(([language]) => isSoak || spoken.includes(language)))(
    'the page speaks %s by the language of the phone',
    async (language, title) => {
      const { magic_links } = await book()
      const { context, page } = await open({ locale: language })
      await openHome(page, magic_links[0]?.link)
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language)
      await expect
        .poll(() => page.locator('html').getAttribute('dir'))
        .toBe(language === 'ar' ? 'rtl' : 'ltr')
      await expect.poll(() => page.locator('h2.label').first().textContent()).toMatch(new RegExp(title))
      await inspect(page, `language-${language}-${screen}`)
      await context.close()
    },
  )

  test('names that mean harm show as text and break nothing', async () => {
    const evil = [
      '<script>document.title="taken"</script>',
      '\u202egnp.exe\u202d door',
      `Z${'\u0301'.repeat(254)}`,
      'W'.repeat(255),
    ]
    const bad = await w.tenant(evil[0])
    const site = await bad.client.sites.create({
      name: evil[1] as string,
      timezone: 'Europe/Madrid',
      info: '<img src=x onerror=alert(1)>',
      map: { address: evil[2] as string },
    })
    const device = await bad.client.devices.create({ name: 'd', site_id: site.id, product_id: 'controller' })
    for (const name of evil) await bad.client.gadgets.create({ name, device_id: device.id })
    const group = await bad.client.member_groups.create({ name: 'all', permissions: [{}] })
    const { magic_links } = await bookGuest(bad, group.id)
    const { context, page, strange } = await open()
    await openHome(page, magic_links[0]?.link)
    await expect.poll(() => page.title()).toBe('Your doors')
    await expect.poll(() => page.locator('main script, .info img').count()).toBe(0)
    await expect.poll(() => page.locator('.door').count()).toBe(4)
    for (const box of await page.locator('.door').all()) {
      const size = await box.boundingBox()
      expect(size?.height).toBeLessThan(330)
    }
    await inspect(page, `malicious-${screen}`)
    expect(strange).toEqual([])
    await context.close()
  })

  test('the policy of the page allows its own script and style by hash and nothing inline', async () => {
    const answer = await fetch(`${w.url}/guest`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; img-src 'self'; connect-src 'self'/,
    )
    expect(policy).not.toContain('unsafe')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect(answer.headers.getSetCookie()).toEqual([])
    const { magic_links } = await book()
    const { context, page } = await open()
    await openHome(page, magic_links[0]?.link)
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "taken"'
      document.body.append(script)
    })
    await expect.poll(() => page.title()).toBe('Your doors')
    await context.close()
  })

  test('a keyboard alone reaches and opens every door', async () => {
    const { magic_links } = await book()
    const { context, page } = await open()
    await openHome(page, magic_links[0]?.link)
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab')
      const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
      if (label === 'Open: Room 204') break
    }
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Opened: Room 204' }).waitFor()
    await context.close()
  })
})
