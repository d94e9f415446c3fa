import { isSoak, within } from '@gatehouse-access/testkit'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '../../oauth/people.ts'
import { checkPage, cutTexts, type Look, openPage, openSetting, type Setting, signedIn } from './setting.ts'

const looks = ['phone', 'desktop'] as const satisfies readonly Look[]
const long_name = 'Maximiliane Freifrau von Hohenlohe-Waldenburg-Schillingsfürst'

let setting: Setting
let german: BrowserContext
let door: string
let member: string

beforeAll(async () => {
  setting = await openSetting(null)
  const { client, visitor, organization_id, url } = setting
  await visitor.account('PATCH', `/account/organizations/${organization_id}`, {
    name: 'Residencias universitarias Miramar y Castellana',
  })
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'Hub', site_id: site.id, product_id: 'controller' })
  door = (await client.gadgets.create({ name: 'Server room', device_id: device.id })).id
  const working = { ranges: [{ start: 8 * 3600, end: 18 * 3600 }] }
  const schedule = await client.schedules.create({
    name: 'Working hours',
    weekdays: Array.from({ length: 7 }, (_, day) => (day < 5 ? working : { ranges: [] })),
    special_days: [
      { kind: 'holiday', ranges: [] },
      { kind: 'fair', ranges: [{ start: 6 * 3600, end: 22 * 3600 }] },
    ],
  })
  const permissions = [{ gadget_id: door, schedule_id: schedule.id }]
  const group = await client.member_groups.create({ name: 'Technicians of other companies', permissions })
  member = (await client.members.create({ name: long_name, ends_at: '2035-06-15T10:00:00Z' })).id
  await client.member_group_associations.create(member, { member_group_id: group.id })
  german = await signedIn(setting.browser, visitor)
  await german.addCookies([{ name: 'gatehouse_language', value: 'de', url }])
})
afterAll(() => setting[Symbol.asyncDispose]())

const openGerman = (path: string, look: Look) =>
  openPage(german, `${setting.url}/o/${setting.organization_id}${path}`, look)

/** In soak also at night and in German, whose words are longer. */
async function look(page: Page, path: string, name: string): Promise<void> {
  await checkPage(page, `${name}-phone`)
  if (!isSoak) return
  const dark = await openGerman(path, 'phone-night')
  await checkPage(dark, `${name}-phone-night-de`)
  await dark.close()
}

test.each(looks)(
  'lists of access say when, but for what and until when, how and by what, on a %s',
  within(60),
  async width => {
    for (const [path, label, name] of [
      [`/gadgets/${door}`, 'Members with access', 'door-people'],
      [`/members/${member}`, 'Doors of the member', 'member-doors'],
      [`/gadgets/${door}/review`, 'Members with access', 'review'],
    ] as const) {
      const page = await setting.open(path, width)
      const table = page.getByRole('table', { name: label })
      await table.scrollIntoViewIfNeeded()
      const said = [
        /Mon to Fri 08:00 to 18:00, not on holidays, on fairs 06:00 to 22:00, until .*2035/,
        'Technicians of other companies',
        'Any method',
      ]
      for (const words of said) await table.getByText(words).filter({ visible: true }).first().waitFor()
      expect([path, await cutTexts(table)]).toEqual([path, []])
      if (width === 'phone') await look(page, path, name)
      await page.close()
    }
  },
)

test(
  'rows of different heights come and go as one scrolls, and stand where they did before',
  within(60),
  async () => {
    const { client } = setting
    const names = Array.from(
      { length: 60 },
      (_, index) => `Guest ${index} ${'of the wedding '.repeat(index % 7)}`,
    )
    const [group] = (await client.member_groups.list({ q: 'Technicians' })).data
    await client.bulk(
      names.map(name => ({
        method: 'POST' as const,
        path: '/grants',
        body: { member: { name }, member_group_ids: [group?.id] },
      })),
    )
    const page = await setting.open(`/gadgets/${door}`, 'phone')
    const table = page.getByRole('table', { name: 'Members with access' })
    await table.scrollIntoViewIfNeeded()
    const seen = new Set<string>()
    const heightOf = async () => Math.round((await table.boundingBox())?.height ?? 0)
    const note = async () => {
      for (const name of await table.locator('bdi').allInnerTexts()) seen.add(name.trim())
      const tops = await table
        .locator('.rows-body > .row')
        .evaluateAll(rows =>
          rows.map(row => [row.getBoundingClientRect().top, row.getBoundingClientRect().bottom]),
        )
      const gaps = tops.slice(1).map(([top], index) => Math.round((top ?? 0) - (tops[index]?.[1] ?? 0)))
      expect(gaps.filter(gap => gap !== 0)).toEqual([])
    }
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 500)
          await note()
          return names.filter(name => !seen.has(name.trim()))
        },
        { timeout: 20_000 },
      )
      .toEqual([])
    expect(await table.locator('.rows-body > .row').count()).toBeLessThan(50)
    const height = await heightOf()
    await page.evaluate(() => scrollTo(0, 0))
    await table.getByText('until').first().waitFor()
    expect(await heightOf()).toBe(height)
    await page.close()
  },
)

test(
  'the list of keys says what each may do, when it ends and when it was last used',
  within(60),
  async () => {
    const { visitor, organization_id } = setting
    const keys = `/account/organizations/${organization_id}/api_keys`
    const wish = { name: 'Booking', scopes: ['members', 'events:read'], expires_at: '2035-06-15T10:00:00Z' }
    const { body } = await visitor.account<{ id: string }>('POST', keys, wish)
    const page = await setting.open('/developers/keys', 'phone')
    const row = page.getByRole('row').filter({ hasText: 'Booking' })
    for (const words of ['Read events, Read and change members', '15 Jun 2035', 'Never'])
      await row.getByText(words).filter({ visible: true }).waitFor()
    expect(await cutTexts(row)).toEqual([])
    await look(page, '/developers/keys', 'keys')
    await page.close()
    await visitor.account('DELETE', `${keys}/${body.id}`)
  },
)

test('lists of applications say all that each may do, and when it was last used', within(60), async () => {
  const { visitor, organization_id } = setting
  const wish = { name: 'Sync', redirect_uris: ['https://example.com/callback'] }
  const { body } = await visitor.account<{ id: string }>('POST', '/account/applications', wish)
  const path = `/account/applications/${body.id}/organizations/${organization_id}/installation`
  await visitor.account('POST', path, { scopes: ['members', 'devices', 'events:read', 'actions'] })
  for (const [where, label] of [
    ['/applications', 'Installed applications'],
    [`/developers/applications/${body.id}`, 'Installations'],
  ] as const) {
    const page = await setting.open(where, 'phone')
    const table = page.getByRole('table', { name: label })
    for (const words of ['Read and change devices and doors', 'Open doors', 'Never'])
      await table.getByText(words).filter({ visible: true }).waitFor()
    expect([where, await cutTexts(table)]).toEqual([where, []])
    await checkPage(page, `${label}-phone`)
    await page.close()
  }
})

test('a long title breaks into lines, and the badge beside it is whole', within(60), async () => {
  const page = await setting.open(`/members/${member}`, 'phone')
  await page.locator('h1').getByText(long_name).waitFor()
  expect(await cutTexts(page.locator('.page-title'))).toEqual([])
  await checkPage(page, 'member-phone')
  await page.close()
})

test('tabs fade where more follow, and the selected one is in sight', within(60), async () => {
  const fading = (page: Page) =>
    page
      .getByRole('tablist')
      .evaluate(row => ['data-before', 'data-after'].map(name => row.getAttribute(name)))
  for (const [path, name, fades] of [
    ['/developers', 'Applications', ['false', 'true']],
    ['/developers/organizations', 'Test organizations', ['true', 'true']],
    ['/developers/explorer', 'API explorer', ['true', 'false']],
  ] as const) {
    const page = await setting.open(path, 'phone')
    await expect.poll(() => fading(page)).toEqual(fades)
    const { x = -1, width = 0 } = (await page.getByRole('tab', { name }).boundingBox()) ?? {}
    expect([name, x >= 0 && x + width <= 390]).toEqual([name, true])
    await look(page, path, `developers${path.split('/')[2] ?? ''}`)
    await page.close()
  }
  const wide = await setting.open('/developers/organizations', 'desktop')
  await expect.poll(() => fading(wide)).toEqual(['false', 'false'])
  await wide.close()
})

test('times of another zone take two lines in the list of events', within(60), async () => {
  const { browser, visitor, url, organization_id } = setting
  const path = `/events?object.gadget_id=${door}`
  await using context = await signedIn(browser, visitor, { timezoneId: 'Asia/Kolkata' })
  const page = await openPage(context, `${url}/o/${organization_id}${path}`, 'phone')
  const times = page.getByRole('row').locator('.event-when')
  await times.getByTitle('Europe/Madrid').first().waitFor()
  const beyond = await times.evaluateAll(found =>
    found
      .filter(time => {
        const range = document.createRange()
        range.selectNodeContents(time)
        const text = range.getBoundingClientRect()
        return text.height > 36 || text.width > (time.parentElement?.clientWidth ?? 0) + 1
      })
      .map(time => time.textContent),
  )
  expect(beyond).toEqual([])
  await checkPage(page, 'events-zoned-phone')
  await page.close()
})

test('sites are chosen right below the role that they limit', within(60), async () => {
  const page = await setting.open('/users?new', 'phone')
  const form = page.getByRole('dialog')
  const sites = form.getByRole('combobox', { name: 'Sites' })
  await form.getByText('For all sites, or those that you choose').waitFor()
  expect(await sites.count()).toBe(0)
  const topOf = async (name: string) => (await form.getByRole('radio', { name }).boundingBox())?.y ?? 0
  for (const [role, next] of [
    ['Site administrator', 'Site viewer'],
    ['Front desk', 'Installer'],
  ] as const) {
    await form.getByRole('radio', { name: role }).check()
    const top = (await sites.boundingBox())?.y ?? 0
    expect([role, (await topOf(role)) < top && top < (await topOf(next))]).toEqual([role, true])
  }
  await checkPage(page, 'invite-phone')
  await page.close()
})

test(
  'names of users and of the organization break into lines, and roles name their sites',
  within(60),
  async () => {
    const { visitor, organization_id, world, client } = setting
    const invitations = `/account/organizations/${organization_id}/invitations`
    const [site] = (await client.sites.list()).data
    for (const email of ['desk@example.com', 'other@example.com'])
      await visitor.account('POST', invitations, { email, role: 'site_administrator', site_ids: [site?.id] })
    const person = await signUp(world, 'desk@example.com', long_name)
    const { body } = await person.account<{ data: { id: string }[] }>('GET', '/account/invitations')
    await person.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
    const page = await setting.open('/users', 'phone')
    for (const name of ['Users', 'Invitations']) {
      const table = page.getByRole('table', { name })
      await table.getByText('1 site').filter({ visible: true }).waitFor()
      expect([name, await cutTexts(table)]).toEqual([name, []])
    }
    const switcher = page.locator('.top .switcher')
    expect(await cutTexts(switcher)).toEqual([])
    const bar = await page.locator('.top').boundingBox()
    expect((await switcher.boundingBox())?.height).toBeLessThanOrEqual(bar?.height ?? 0)
    await look(page, '/users', 'users')
    await page.close()
    // Two long buttons leave an address no room beside them.
    const german_page = await openGerman('/users', 'phone')
    const email = german_page.getByText('other@example.com')
    expect((await email.boundingBox())?.height).toBeLessThan(30)
    await german_page.close()
    const wide = await setting.open('/users', 'desktop')
    expect(await cutTexts(wide.locator('.side .switcher'))).toEqual([])
    await wide.close()
  },
)

test('names in the feed break into lines', within(60), async () => {
  const page = await setting.open('/', 'phone')
  const feed = page.getByRole('list', { name: 'Live events' })
  await feed.getByText(long_name).first().waitFor()
  expect(await cutTexts(feed)).toEqual([])
  await checkPage(page, 'feed-phone')
  await page.close()
})
