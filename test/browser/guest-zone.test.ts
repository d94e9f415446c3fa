import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { bookGuest } from './guest-house.ts'

/** Madrid as no browser knows it. */
const offset = 4
const lines = `# version 2099a\nZ Europe/Madrid ${offset} - %z\n`

test('the guest page shows times by the zone data of the service, and the day that closes a door', async () => {
  const tzdata_dir = mkdtempSync(join(tmpdir(), 'zones-'))
  writeFileSync(join(tzdata_dir, 'tzdata.zi'), lines)
  await using w = await world({ is_reachable: true, tzdata_dir })
  const tenant = await w.tenant('Hotel Miramar')
  const { client } = tenant
  const calendar = await client.calendars.create({ name: 'Days off' })
  const starts_on = new Date(Date.parse(w.clock.now()) + offset * 3_600_000).toISOString().slice(0, 10)
  const day = await client.calendar_days.create(calendar.id, { name: 'Epiphany', starts_on })
  const site = await client.sites.create({
    name: 'Madrid',
    timezone: 'Europe/Madrid',
    calendar_ids: [calendar.id],
  })
  const device = await client.devices.create({ name: 'Pool', site_id: site.id, product_id: 'controller' })
  const gadget = await client.gadgets.create({ name: 'Pool', device_id: device.id })
  const schedule = await client.schedules.create({
    name: 'Usual days',
    weekdays: Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] })),
    special_days: [{ kind: 'holiday', ranges: [] }],
  })
  const group = await client.member_groups.create({
    name: 'Guests',
    permissions: [{ gadget_id: gadget.id, schedule_id: schedule.id }],
  })
  const { magic_links } = await bookGuest(tenant, group.id)
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ locale: 'en-GB', timezoneId: 'Europe/Madrid' })
    await page.goto(magic_links[0]?.link ?? '')
    const pool = page.locator('.later', { hasText: 'Pool' })
    await expect
      .poll(() => pool.innerText())
      .toContain('Closed: \u2068Epiphany\u2069. Opens tomorrow at 00:00')
    await client.calendar_days.edit(calendar.id, day.id, { is_public: false })
    await page.reload()
    await expect.poll(() => pool.innerText()).toContain('Closed today. Opens tomorrow at 00:00')
  } finally {
    await browser.close()
  }
})
