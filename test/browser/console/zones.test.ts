import { doorTemplates } from '@gatehouse-access/api'
import { soak } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, openPage, openSetting, type Setting, signedIn, widthsFor } from './setting.ts'

let setting: Setting

beforeAll(async () => {
  setting = await openSetting(null)
})
afterAll(() => setting[Symbol.asyncDispose]())

describe.each(widthsFor('desktop'))('on a %s', width => {
  test('dates of a member are in the zone of its site, with the time of the reader beside', async () => {
    const { client } = setting
    const site = await client.sites.create({ name: `Lisbon ${width}`, timezone: 'Europe/Lisbon' })
    const member = await client.members.create({ name: `Ana ${width}`, ends_at: '2035-07-01T10:00:00Z' })
    await using context = await signedIn(setting.browser, setting.visitor, { timezoneId: 'Asia/Tokyo' })
    const at = (path: string) => `${setting.url}/o/${setting.organization_id}${path}`
    const page = await openPage(context, at(`/members/${member.id}`), width)
    await page
      .getByText(
        /^Valid until 1 Jul 2035, 11:00.*\(Europe\/Lisbon time\) · 1 Jul 2035, 19:00 \(Asia\/Tokyo time\) · /,
      )
      .waitFor()
    const history = page.getByRole('region', { name: 'History' })
    await history.getByRole('button', { name: 'Show history' }).waitFor()
    expect(await history.locator('.section-body').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const until = page.getByRole('dialog').getByLabel('Until', { exact: true })
    await expect.poll(() => until.inputValue()).toBe('1 Jul 2035, 11:00')
    const told = 'Europe/Lisbon · 1 Jul 2035, 19:00 (Asia/Tokyo time)'
    await page.getByText(told).waitFor()
    if (width === 'desktop') {
      const topOf = (label: string) =>
        page
          .getByRole('dialog')
          .getByText(label, { exact: true })
          .evaluate(one => one.getBoundingClientRect().top)
      expect(await topOf('From')).toBe(await topOf('Until'))
    }
    await checkPage(page, `zones-${width}`, true)
    await until.fill('2035-01-01T12:00')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await client.members.get(member.id)).ends_at)
      .toBe('2035-01-01T12:00:00.000000Z')
    await page.getByRole('button', { name: 'Suspend', exact: true }).click()
    const end = page.getByRole('dialog').getByLabel('Until', { exact: true })
    await page.getByText('Leave empty for no end · Europe/Lisbon').waitFor()
    await end.fill('2034-07-01T12:00')
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('Suspended until 1 Jul 2034, 12:00 (Europe/Lisbon time)').waitFor()
    expect((await client.members.get(member.id)).suspended_until).toBe('2034-07-01T11:00:00.000000Z')
    const members = await openPage(context, at('/members'), width)
    const note = members.getByText('From and Until: Europe/Lisbon time')
    await note.waitFor({ state: width === 'phone' ? 'attached' : 'visible' })
    await client.sites.delete(site.id)
  })

  test('of several zones, that of the doors of the member counts', async () => {
    const { client } = setting
    const madrid = await client.sites.create({ name: `Madrid ${width}`, timezone: 'Europe/Madrid' })
    const tokyo = await client.sites.create({ name: `Tokyo ${width}`, timezone: 'Asia/Tokyo' })
    const device = await client.devices.create({
      name: 'Lobby',
      site_id: tokyo.id,
      product_id: 'controller',
    })
    const gate = await client.gadgets.create({
      name: 'Gate',
      device_id: device.id,
      actions: [{ id: 'open', name: 'Open' }],
    })
    const group = await client.member_groups.create({
      name: 'Staff',
      permissions: [{ site_id: tokyo.id }],
    })
    const member = await client.members.create({ name: `Ken ${width}`, ends_at: '2035-07-01T10:00:00Z' })
    await client.member_group_associations.create(member.id, { member_group_id: group.id })
    await using context = await signedIn(setting.browser, setting.visitor, {
      timezoneId: 'America/New_York',
    })
    const at = (path: string) => `${setting.url}/o/${setting.organization_id}${path}`
    const page = await openPage(context, at(`/members/${member.id}`), width)
    const until = '2035-07-02T10:00:00Z'
    await client.member_group_associations.create(member.id, { member_group_id: group.id, ends_at: until })
    await page
      .getByText(
        /^Valid until 1 Jul 2035, 19:00.*\(Asia\/Tokyo time\) · 1 Jul 2035, 06:00 \(America\/New York time\) · /,
      )
      .waitFor()
    await page.getByText('until 2 Jul 2035, 19:00 (Asia/Tokyo time)').first().waitFor()
    await page.getByText('now or later. (Asia/Tokyo time)').waitFor()
    const review = await openPage(context, at(`/gadgets/${gate.id}/review`), width)
    await review.getByText(/\(Asia\/Tokyo time\)/).waitFor()
    await review.getByText('At all times, until 1 Jul 2035, 19:00').first().waitFor()
    const members = await openPage(context, at(`/members?site_id=${tokyo.id}`), width)
    const note = members.getByText('From and Until: Asia/Tokyo time')
    await note.waitFor({ state: width === 'phone' ? 'attached' : 'visible' })
    for (const { id } of [madrid, tokyo]) await client.sites.delete(id, { cascade: true })
  })

  test('what is told of a door is by its clock, with the zone', async () => {
    const { client } = setting
    const site = await client.sites.create({ name: `Osaka ${width}`, timezone: 'Asia/Tokyo' })
    const { id: device_id } = await client.devices.create({
      name: 'Box',
      site_id: site.id,
      product_id: 'controller',
    })
    const door = await client.gadgets.create({ name: 'Front', device_id, ...doorTemplates.holdable })
    await client.gadgets.mode(door.id, { mode: 'unlocked', lasts: 'indefinitely' })
    await client.gadgets.run_action(door.id, doorTemplates.holdable.actions[0]?.id as string)
    await using context = await signedIn(setting.browser, setting.visitor, {
      timezoneId: 'America/New_York',
    })
    const page = await openPage(
      context,
      `${setting.url}/o/${setting.organization_id}/gadgets/${door.id}`,
      width,
    )
    await page.getByText(/^Unlocked by hand on .* \(Asia\/Tokyo time\), without an end\.$/).waitFor()
    await page.locator('dd', { hasText: /:\d\d \(Asia\/Tokyo time\)$/ }).waitFor()
    const activity = page.getByRole('region', { name: 'Activity' })
    await activity
      .getByText(/^\d\d:\d\d:\d\d GMT\+9$/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Show history' }).click()
    await page
      .getByRole('list', { name: 'Versions of Front' })
      .getByText(/^\d\d:\d\d:\d\d GMT\+9$/)
      .first()
      .waitFor()
    const show = (path: string) => page.goto(`${setting.url}/o/${setting.organization_id}${path}`)
    await show('/events')
    await page.getByText('Times without a zone: America/New York time').waitFor()
    await page.getByRole('row').getByTitle('Asia/Tokyo').getByText('GMT+9').first().hover()
    const toronto = await client.sites.create({ name: `Toronto ${width}`, timezone: 'America/Toronto' })
    await show('/events')
    const row = page.getByRole('row', { name: new RegExp(toronto.name) })
    await row.waitFor()
    expect(await row.getByTitle('America/Toronto').count()).toBe(0)
    await checkPage(page, `zones-events-${width}`)
    await show('/')
    await page.getByText('Last 24 hours · America/New York time').waitFor()
    const bars = page.getByRole('img', { name: /^Activity by/ }).locator('title')
    await bars
      .filter({ hasText: /^\d\d:00 \(America\/New York time\): / })
      .first()
      .waitFor({ state: 'attached' })
    await show('/reports?when=week')
    await bars
      .filter({ hasText: / 20\d\d \(Asia\/Tokyo time\): / })
      .first()
      .waitFor({ state: 'attached' })
    await show('/events?created_at:gt=2026-07-01T10:00:00Z')
    if (width === 'phone') await page.getByRole('button', { name: /^Filters/ }).click()
    await page
      .getByRole('button', { name: 'Remove filter Happened after' })
      .getByText('1 Jul 2026, 06:00 (America/New York time)')
      .waitFor()
    await show('/reports')
    await page.getByText(/, days in Asia\/Tokyo$/).waitFor()
    const madrid = await client.sites.create({ name: `Bilbao ${width}`, timezone: 'Europe/Madrid' })
    await show(`/reports?site_id=${madrid.id}`)
    await page.getByText(/, days in Europe\/Madrid$/).waitFor()
    await show('/reports')
    await page.getByText(/, days in Asia\/Tokyo$/).waitFor()
    const boston = await client.sites.create({ name: `Boston ${width}`, timezone: 'America/New_York' })
    await show('/reports')
    await page.getByText(/, days in America\/New York$/).waitFor()
    for (const { id } of [site, madrid, boston, toronto]) await client.sites.delete(id, { cascade: true })
  })

  test('times of no site name the zone of the browser where a site has another clock', async () => {
    const { client } = setting
    const site = await client.sites.create({ name: `Kyoto ${width}`, timezone: 'Asia/Tokyo' })
    const { id: device_id } = await client.devices.create({
      name: 'Box',
      site_id: site.id,
      product_id: 'controller',
    })
    const door = await client.gadgets.create({ name: 'Back', device_id, ...doorTemplates.holdable })
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [] }))
    const schedule = await client.schedules.create({ name: 'Nights', weekdays })
    const trigger = await client.gadget_triggers.create({
      source_type: 'schedule',
      source_schedule_id: schedule.id,
      source_schedule_event: 'enter',
      target_gadget_id: door.id,
      target_action_id: 'secure',
    })
    const member = await client.members.create({ name: `Emi ${width}` })
    const card = await client.cards.create({ name: 'Spare', printed_code: `S-${width}` })
    const emergency = await client.emergencies.create({
      type: 'lockdown',
      targets: { gadget_ids: [door.id] },
      ends_after_seconds: 3600,
    })
    await using context = await signedIn(setting.browser, setting.visitor, {
      timezoneId: 'America/New_York',
    })
    const at = (path: string) => `${setting.url}/o/${setting.organization_id}${path}`
    const page = await openPage(context, at('/emergencies'), width)
    await page
      .getByText(/, \d\d:\d\d GMT-\d$/)
      .filter({ visible: true })
      .first()
      .waitFor()
    for (const [path, fact, zone] of [
      [`/emergencies/${emergency.id}`, 'Started', 'America/New York'],
      [`/emergencies/${emergency.id}`, 'Ends by itself', 'America/New York'],
      [`/cards/${card.id}`, 'Added', 'America/New York'],
      ['/settings', 'Created', 'America/New York'],
      [`/members/${member.id}`, 'Added', 'Asia/Tokyo'],
      [`/triggers/${trigger.id}`, 'Created', 'Asia/Tokyo'],
    ] as const) {
      await page.goto(at(path))
      const told = page.locator('dt', { hasText: fact }).locator('+ dd', { hasText: `(${zone} time)` })
      await told.waitFor()
    }
    await client.emergencies.end(emergency.id, {})
    await client.sites.delete(site.id, { cascade: true })
  })

  soak('beyond a hundred sites, the zone is that of the doors all the same', async () => {
    const { client } = setting
    const create = (name: string, timezone: string) => ({
      method: 'POST' as const,
      path: '/sites',
      body: { name, timezone },
    })
    const old = await client.bulk(
      Array.from({ length: 100 }, (_, at) => create(`Old ${at}`, 'Europe/Madrid')),
    )
    const young = await client.sites.create({ name: 'Young', timezone: 'Asia/Tokyo' })
    const device = await client.devices.create({ name: 'D', site_id: young.id, product_id: 'controller' })
    await client.gadgets.create({ name: 'G', device_id: device.id, actions: [{ id: 'open', name: 'Open' }] })
    const group = await client.member_groups.create({ name: 'Y', permissions: [{ site_id: young.id }] })
    const member = await client.members.create({ name: `Yuki ${width}`, ends_at: '2035-07-01T10:00:00Z' })
    await client.member_group_associations.create(member.id, { member_group_id: group.id })
    const page = await setting.open(`/members/${member.id}`)
    await page.getByText(/^Valid until 1 Jul 2035, 19:00.*\(Asia\/Tokyo time\)/).waitFor()
    const made = old.map(({ body }) => (body as { id: string }).id)
    for (const id of made) await client.sites.delete(id)
    await client.sites.delete(young.id, { cascade: true })
    await page.close()
  })
})
