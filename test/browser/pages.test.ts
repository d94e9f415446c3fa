import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandApplicationId } from '@gatehouse-access/server'
import { isSoak, type World, world } from '@gatehouse-access/testkit'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { totpAt } from '../../packages/server/src/services/accounts/totp.ts'
import { type Client, found, password, register, signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { openBrowser } from './browser.ts'
import { openCallback } from './callback.ts'
import { findFaults, looksInTurn } from './faults.ts'

let w: World
let browser: Browser
let app: Client
let shown: Page | undefined
/** Requests of the window to other hosts, and its errors. */
const strange: string[] = []
let url: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  browser = await openBrowser()
  const owner = await enrol('owner@example.com')
  const viewer = await enrol('viewer@example.com')
  url = owner.url
  const hotel = await found(owner, 'Hotel Miramar')
  await found(owner, 'Corner Gym with a rather long name that does not end soon')
  await owner.account('POST', `/account/organizations/${hotel}/invitations`, {
    email: 'viewer@example.com',
    role: 'viewer',
  })
  const { body } = await viewer.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await viewer.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  const second = await found(owner, 'Office')
  await owner.account('POST', `/account/organizations/${second}/invitations`, {
    email: 'viewer@example.com',
    role: 'administrator',
  })
  app = await register(owner, {
    name: 'Property Sync',
    redirect_uris: ['https://client.example/callback', 'http://localhost/callback'],
  })
  await owner.account('PATCH', `/account/applications/${app.client_id}`, { logo: pixel })
})
afterAll(async () => {
  await browser.close()
  await w[Symbol.asyncDispose]()
})

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function authorizePath(scope = 'full_read_write offline'): string {
  const redirect_uri = 'https://client.example/callback'
  return `/oauth2/auth?${new URLSearchParams({ client_id: app.client_id, redirect_uri, response_type: 'code', scope, state: 's' })}`
}

/** Submits a form and waits for the page it leads to. */
async function submit(button: Locator): Promise<void> {
  const loaded = button.page().waitForEvent('domcontentloaded')
  await button.click()
  await loaded
}

const enrolled = new Map<string, Visitor>()

async function enrol(email: string): Promise<Visitor> {
  const visitor = await signUp(w, email)
  enrolled.set(email, visitor)
  return visitor
}

/**
 * Reuses the cookies of the sign-up, because checking a password and loading the console afterwards are slow.
 */
async function signIn(page: Page, email: string): Promise<void> {
  const cookies = [...(enrolled.get(email)?.cookies ?? [])]
  await page.context().addCookies(cookies.map(([name, value]) => ({ name, value, url })))
}

async function typePassword(page: Page, email: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(password)
  await submit(page.locator('form[action="/sign-in"] button').first())
}

/** Creates a user with an authenticator app, who is viewing the recovery codes. */
async function setUpApp(page: Page): Promise<string> {
  const email = `careful-${Math.random()}@example.com`
  await enrol(email)
  await signIn(page, email)
  await page.goto(`${url}/security/authenticator`)
  const key = (await page.locator('code').innerText()).replaceAll(' ', '')
  await page.locator('#code').fill(totpAt(key, Math.floor(Date.parse(w.clock.now()) / 30_000)))
  await submit(page.locator('form[action="/security/authenticator"] button'))
  await page.locator('ol.codes').waitFor()
  return email
}

/** Returns a code such as `gatehouse login` shows in a terminal. */
async function askForCode(): Promise<string> {
  const body = new URLSearchParams({ client_id: commandApplicationId, scope: 'full_read_write offline' })
  const answer = await fetch(`${url}/oauth2/device_authorization`, { method: 'POST', body })
  return ((await answer.json()) as { user_code: string }).user_code
}

/** Types the code of a terminal as the owner. */
async function typeCode(page: Page, user_code: string): Promise<void> {
  await signIn(page, 'owner@example.com')
  await page.goto(`${url}/device`)
  await page.locator('#user_code').fill(user_code)
  await submit(page.locator('form[action="/device"] button'))
}

/** Every page by name, with the way to reach it in a fresh browser. */
const pages: Record<string, (page: Page) => Promise<unknown>> = {
  'sign-in': page => page.goto(`${url}/sign-in`),
  'sign-in-wrong': async page => {
    await page.goto(`${url}/sign-in`)
    await page.locator('#email').fill('nobody@example.com')
    await page.locator('#password').fill('wrong password here')
    await submit(page.locator('form[action="/sign-in"] button').first())
  },
  'sign-up': page => page.goto(`${url}/sign-up`),
  'sign-up-code': async page => {
    await page.goto(`${url}/sign-up`)
    await page.locator('#name').fill('New person')
    await page.locator('#email').fill(`new-${Math.random()}@example.com`)
    await page.locator('#password').fill(password)
    await submit(page.locator('button'))
  },
  reset: page => page.goto(`${url}/reset-password`),
  'reset-code': async page => {
    await page.goto(`${url}/reset-password`)
    await page.locator('#email').fill('nobody@example.com')
    await submit(page.locator('button'))
  },
  choose: async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(url + authorizePath())
  },
  'choose-viewer': async page => {
    await signIn(page, 'viewer@example.com')
    await page.goto(url + authorizePath())
  },
  consent: async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(url + authorizePath())
    await page.getByText('Hotel Miramar').click()
    await submit(page.locator('button[value=choose]'))
  },
  'no-organization': async page => {
    const email = `lonely-${Math.random()}@example.com`
    await enrol(email)
    await signIn(page, email)
    await page.goto(url + authorizePath())
  },
  account: async page => {
    await signIn(page, 'viewer@example.com')
    await page.goto(`${url}/account`)
  },
  security: async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/security`)
  },
  'security-again': async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/sign-in?again=1&return_to=/security/email`)
  },
  'security-factor': async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/sign-in?again=factor&return_to=/security/email`)
  },
  'security-password': async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/security/password`)
  },
  'security-email': async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/security/email`)
  },
  'security-email-code': async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/security/email`)
    await page.locator('#email').fill(`moved-${Math.random()}@example.com`)
    await submit(page.locator('form[action="/security/email"] button'))
  },
  'security-passkeys': async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/security/passkeys`)
  },
  'security-authenticator': async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/security/authenticator`)
  },
  'security-recovery-codes': page => setUpApp(page).then(() => undefined),
  'security-authenticator-on': async page => {
    await setUpApp(page)
    await page.goto(`${url}/security/authenticator`)
  },
  'second-step': async page => {
    const email = await setUpApp(page)
    await typePassword(page, email)
  },
  'security-delete': async page => {
    const email = `leaving-${Math.random()}@example.com`
    await enrol(email)
    await signIn(page, email)
    await page.goto(`${url}/security/delete`)
  },
  'security-delete-owner': async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/security/delete`)
  },
  'device-consent': async page => {
    await typeCode(page, await askForCode())
    await page.getByText('Hotel Miramar').click()
    await submit(page.locator('button[value=choose]'))
    await page.getByText('will act for you').waitFor()
  },
  device: async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(`${url}/device`)
  },
  'device-wrong': page => typeCode(page, 'BBBB-BBBB'),
  'device-allowed': async page => {
    await pages['device-consent']?.(page)
    await submit(page.locator('button[value=allow]'))
    await page.getByText('The terminal is connected to Hotel Miramar').waitFor()
  },
  'device-choose': async page => typeCode(page, await askForCode()),
  'device-denied': async page => {
    await typeCode(page, await askForCode())
    await submit(page.locator('button[value=deny]'))
    await page.getByText('got no access').waitFor()
  },
  error: page => page.goto(`${url}/oauth2/auth?client_id=app_unknown&response_type=code`),
  'error-expired': page => page.goto(`${url}/authorize/nothing`),
  outbox: page => page.goto(`${url}/outbox`),
  'consent-limited': async page => {
    await signIn(page, 'owner@example.com')
    await page.goto(url + authorizePath('members:read devices events:read actions offline'))
    await page.getByText('Hotel Miramar').click()
    await submit(page.locator('button[value=choose]'))
    await page.locator('button[value=allow]').waitFor()
  },
}

const looks = {
  phone: [{ width: 360, height: 740 }, 'light'],
  dark: [{ width: 1280, height: 800 }, 'dark'],
} as const

/** All pages in `npm run soak`; in `npm test` every third, because the way to a page costs more than a look at it. */
const inspected = Object.keys(pages).filter((_, index) => isSoak || index % 3 === 0)

test.each(inspected)(
  'axe finds no fault in the page %s, on a phone by day or on a desktop in the dark',
  async name => {
    const page = await openPage(name)
    for (const [look, [viewport, colorScheme]] of looksInTurn(name, Object.entries(looks))) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await photograph(page, `${name}-${look}`)
      expect([look, await findFaults(page)]).toEqual([look, []])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    }
  },
)

/**
 * Opens a page as a signed-out visitor. All pages share one window, because a new one costs as much as the
 * page.
 */
async function openPage(name: string): Promise<Page> {
  shown ??= await newWindow()
  await shown.context().clearCookies()
  await pages[name]?.(shown)
  expect(strange.splice(0)).toEqual([])
  await expect.poll(() => shown?.locator('h1').count()).toBe(1)
  return shown
}

async function newWindow(): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  page.on('request', request => !request.url().startsWith(url) && strange.push(request.url()))
  page.on('pageerror', error => strange.push(error.message))
  return page
}

/** Takes screenshots only on request, because npm test leaves no files. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.GATEHOUSE_SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

test('the dance works without scripts and with the keyboard alone', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await using callback = await openCallback()
  await page.goto(
    url + authorizePath().replace(/redirect_uri=[^&]+/, `redirect_uri=${callback.redirect_uri}`),
  )
  await page.locator('#email:focus').waitFor()
  await page.keyboard.type('owner@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/authorize\//)
  while (!(await page.locator('input[type=radio]:focus').count())) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.waitForURL(/organization_id/)
  while (!(await page.locator('button[value=allow]:focus').count())) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect((await callback.next()).searchParams.get('code')).toMatch(/^ghc_/)
  await context.close()
})

test.each([
  ['de-AT,de;q=0.9', 'Anmelden', 'de'],
  ['es', 'Iniciar sesión', 'es'],
  ['fr-CH, fr;q=0.9, en;q=0.8', 'Se connecter', 'fr'],
  ['pt, de;q=0.3, en;q=0.2', 'Anmelden', 'de'],
  ['pt', 'Sign in', 'en'],
])('%s reads %s', async (header, title, language) => {
  const answer = await fetch(`${url}/sign-in`, { headers: { 'accept-language': header } })
  const text = await answer.text()
  expect(text).toContain(`<h1>${title}</h1>`)
  expect(text).toContain(`<html lang="${language}">`)
  expect(answer.headers.get('content-language')).toBe(language)
})

test.each([
  ['gatehouse_language=es', 'es'],
  ['other=1; gatehouse_language=fr', 'fr'],
  ['gatehouse_language=pt', 'de'],
])('with the cookie %s, the language is %s', async (cookie, language) => {
  for (const path of ['/sign-in', '/account', '/oauth2/auth']) {
    const answer = await fetch(`${url}${path}`, { headers: { 'accept-language': 'de', cookie } })
    expect(await answer.text(), path).toContain(`<html lang="${language}">`)
  }
})

test('a passkey is added with the keyboard and signs in', async () => {
  await found(await enrol('keys@example.com'), 'Key shop')
  const context = await browser.newContext()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await signIn(page, 'keys@example.com')
  await page.goto(`${url}/security/passkeys`)
  await page.locator('#name').fill('Laptop')
  await page.keyboard.press('Enter')
  await page.getByText('Laptop').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/\/o\/org_/)
  await page.goto(`${url}/account`)
  await expect.poll(() => page.getByText('keys@example.com').count()).toBe(1)
  await context.close()
})

test('pages cannot be framed, load nothing from elsewhere and say so', async () => {
  const answer = await fetch(`${url}/sign-in`)
  const policy = answer.headers.get('content-security-policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ])
    expect(policy).toContain(part)
  expect(policy).not.toContain('unsafe')
  expect(answer.headers.get('x-frame-options')).toBe('DENY')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.getSetCookie().every(cookie => /HttpOnly; SameSite=Lax/.test(cookie))).toBe(true)
})

test.each([
  ['/oauth2/auth?client_id=app_unknown&response_type=code', ['/']],
  ['/authorize/nothing', ['/sign-in', '/']],
])('the error at %s leads on to %s', async (path, ways) => {
  const text = await (await fetch(url + path)).text()
  expect(text).toContain('Something went wrong')
  expect([...text.matchAll(/<li><a href="(.*?)">/g)].map(([, way]) => way)).toEqual(ways)
})

test('a service without mail says where the code is, and not that it was sent', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await pages['reset-code']?.(page)
  const text = await page.locator('main').innerText()
  expect(text).toContain('This service sends no email.')
  expect(text).toContain('Get a new code')
  expect(text).not.toContain('we have sent')
  expect(await page.getByRole('link', { name: 'Open the outbox' }).getAttribute('href')).toBe('/outbox')
  await context.close()
})

test('recovery codes are copied with a button, and saved as a file without scripts, too', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  await setUpApp(page)
  const codes = await page.locator('.codes code').allInnerTexts()
  await page.getByRole('button', { name: 'Copy the codes' }).click()
  await page.getByRole('status').getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as a text file' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('gatehouse-recovery-codes.txt')
  const saved = await readFile(await file.path(), 'utf8')
  expect(saved.split('\n').slice(3, -1)).toEqual(codes)
  expect(errors).toEqual([])
  await context.close()
})

test('the key of an authenticator app is copied with a button', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await signIn(page, 'owner@example.com')
  await page.goto(`${url}/security/authenticator`)
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await page.getByRole('status').getByText('Copied').waitFor()
  const key = (await page.locator('code').innerText()).replaceAll(' ', '')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await context.close()
})

test('without scripts the page of passkeys says what is needed', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await typePassword(page, 'owner@example.com')
  await page.goto(`${url}/security/passkeys`)
  await expect.poll(() => page.getByText('with JavaScript turned on').isVisible()).toBe(true)
  await expect.poll(() => page.locator('#enrol').isVisible()).toBe(false)
  await context.close()
})

test.each(isSoak ? ['de', 'es', 'fr'] : ['de'])(
  'the pages of security read %s throughout',
  async language => {
    const context = await browser.newContext({ locale: language })
    const page = await context.newPage()
    await signIn(page, 'owner@example.com')
    for (const path of ['', '/email', '/password', '/passkeys', '/authenticator', '/delete']) {
      await page.goto(`${url}/security${path}`)
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language)
      const english_left = /Sign-in and security|Recovery codes|Turn on|Delete your account|Signed in/
      expect(await page.locator('main').innerText()).not.toMatch(english_left)
    }
    await context.close()
  },
)
