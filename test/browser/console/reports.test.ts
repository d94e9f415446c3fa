import { readFile } from 'node:fs/promises'
import { within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, openSetting, type Setting, widthsFor } from './setting.ts'

/** What is further down moves until everything above it is there. */
async function loaded(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'By door' }).or(page.getByText('No door was used.')).waitFor()
  await credentials(page).waitFor()
}

function days(page: Page) {
  return page.getByRole('combobox', { name: 'Days', exact: true })
}

async function choose(page: Page, span: string): Promise<void> {
  await days(page).click()
  await page.getByRole('option', { name: span, exact: true }).click()
}

function credentials(page: Page) {
  return page.getByRole('region', { name: 'Credentials never used' })
}

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let door: { readonly id: string; readonly name: string }

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    const { data } = await setting.client.gadgets.list({ limit: 1 })
    door = data[0] as typeof door
    await setting.client.gadgets.run_action(door.id, 'open')
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('a day is told at a glance, by door, person and reason, and saved as CSV', within(90), async () => {
    const page = await setting.open('/reports')
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
    await choose(page, 'Today')
    const byDoor = page.getByRole('table', { name: 'By door' })
    await byDoor.getByRole('link', { name: door.name }).waitFor()
    await page.getByRole('img', { name: /^Activity by hour: \d+ opened/ }).waitFor()
    for (const look of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: look })
      await checkPage(page, `reports-${look}-${width}`)
    }
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV: By door' }).click()
    const text = await readFile(await (await saving).path(), 'utf8')
    expect(text.split('\r\n')[0]).toBe('Door,Opened,Denied,Last (Europe/Madrid)')
    expect(text).toContain(door.name)
    expect(text.split('\r\n')[1]).toMatch(/\d\d:\d\d:\d\d"?$/)
    expect(page.url()).toContain('when=today')

    await choose(page, 'Last 7 days')
    await page.getByRole('img', { name: /^Activity by day/ }).waitFor()
    await byDoor.getByRole('link', { name: door.name }).click()
    await page.getByRole('heading', { level: 1, name: door.name }).waitFor()
    await page.close()
  })

  const dayBefore = () => Temporal.Now.plainDateISO('Europe/Madrid').subtract({ days: 1 })

  /** Puts a use or a denial at noon of the day before today by the clock of the oldest site: the hotel has sites in several zones. */
  async function happenYesterday(
    type: 'gadget_action' | 'access_denial',
    member_id: string,
    more: object = {},
  ) {
    const noon = dayBefore().toZonedDateTime({ timeZone: 'Europe/Madrid', plainTime: '12:00' })
    await setting.world.server.context.db.query(
      `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
       VALUES ('evt_' || left(md5(random()::text), 20), $1, $2, $3, $4, $5, $5, false)`,
      [
        setting.organization_id,
        { type: 'member', member_id },
        type === 'gadget_action' ? 'use' : 'deny',
        { type, gadget_id: door.id, ...more },
        noon.toInstant().toString(),
      ],
    )
  }

  test('yesterday is told in figures, by person and by reason', within(60), async () => {
    const { client } = setting
    const make = async (name: string) => ({ name, id: (await client.members.create({ name })).id })
    const yesterday = dayBefore().toString()
    const ida = await make('Ida')
    const leo = await make('Leo')
    for (let uses = 0; uses < 3; uses++) await happenYesterday('gadget_action', ida.id)
    await happenYesterday('access_denial', leo.id, { reason: 'member_ended' })
    await happenYesterday('access_denial', ida.id, { reason: 'outside_schedule' })
    await happenYesterday('access_denial', leo.id, { reason: 'member_ended' })
    const page = await setting.open('/reports')
    await page.getByText(/, days in Europe\/Madrid$/).waitFor()
    expect(await days(page).inputValue()).toBe('Yesterday')
    const linesOf = async (name: string) => {
      const rows = await page.getByRole('table', { name }).locator('tbody tr').all()
      return Promise.all(rows.map(row => row.getByRole('cell').allTextContents()))
    }
    await page.getByRole('table', { name: 'By person' }).waitFor()
    const figures = page.getByRole('region', { name: 'At a glance' }).locator('dl > div')
    expect(await figures.allTextContents()).toEqual(['Opened3', 'Denied3', 'People2', 'Doors1'])
    const at = expect.stringMatching(/12:00:00/)
    expect(await linesOf('By door')).toEqual([[door.name, '3', '3', at]])
    expect(await linesOf('By person')).toEqual([
      [ida.name, '3', '1', at],
      [leo.name, '0', '2', at],
    ])
    expect(await linesOf('Denials by reason')).toEqual([
      ['Access has ended.', '2', at],
      ['Access is not allowed at this time.', '1', at],
    ])
    await checkPage(page, `reports-yesterday-${width}`)
    for (const [title, lines] of [
      ['By person', ['Person,Opened,Denied,Last (Europe/Madrid)', `${ida.name},3,1,`, `${leo.name},0,2,`]],
      [
        'Denials by reason',
        [
          'Reason,Denied,Last (Europe/Madrid)',
          'Access has ended.,2,',
          'Access is not allowed at this time.,1,',
        ],
      ],
    ] as const) {
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: `Save as CSV: ${title}` }).click()
      const saved = await saving
      expect(saved.suggestedFilename()).toContain(`-${yesterday}-${yesterday}.csv`)
      const text = await readFile(await saved.path(), 'utf8')
      const read = text.trimEnd().split('\r\n')
      expect(read).toEqual(lines.map(line => expect.stringContaining(line)))
    }
    await page.getByRole('table', { name: 'By person' }).getByRole('link', { name: leo.name }).click()
    await page.getByRole('heading', { level: 1, name: leo.name }).waitFor()
    await page.close()
  })

  test(
    'a mailed week says of how many doors it shows the 100 used most, also in the file',
    within(90),
    async () => {
      await setting.world.server.context.db.query(
        `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
       SELECT 'evt_' || lpad(n::text, 20, '0'), $1, '{}', 'use', jsonb_build_object('type', 'gadget_action', 'gadget_id', 'gad_' || n),
         '2026-11-04T12:00:00Z', '2026-11-04T12:00:00Z', false FROM generate_series(1, 120) n`,
        [setting.organization_id],
      )
      const page = await setting.open('/reports?when=2026-11-01T23:00:00.000000Z/2026-11-08T23:00:00.000000Z')
      await page.getByText('The 100 with the most, of 120.').waitFor()
      expect(await days(page).inputValue()).toBe('Mailed week')
      await page.getByRole('img', { name: /^Activity by day/ }).waitFor()
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as CSV: By door' }).click()
      const lines = (await readFile(await (await saving).path(), 'utf8')).trimEnd().split('\r\n')
      expect(lines).toHaveLength(102)
      expect(lines.at(-1)).toBe('"The 100 with the most, of 120."')
      await choose(page, 'Today')
      await expect.poll(() => new URL(page.url()).search).toBe('?when=today')
      await page.close()
    },
  )

  test('what nobody uses is listed', within(60), async () => {
    const { data } = await setting.client.gadgets.list({ limit: 100 })
    const idle = data.find(({ last_action_at }) => !last_action_at)
    await setting.world.server.context.db.query(
      `UPDATE gadgets SET created_at = created_at - interval '100 days' WHERE organization_id = $1`,
      [setting.organization_id],
    )
    const [member] = (await setting.client.members.list({ limit: 1 })).data
    const link = await setting.client.member_magic_links.create(member?.id ?? '', {})
    await setting.world.server.context.db.query(
      `UPDATE member_magic_links SET created_at = created_at - interval '100 days' WHERE organization_id = $1 AND id = $2`,
      [setting.organization_id, link.id],
    )
    const page = await setting.open('/reports')
    const table = page.getByRole('table', { name: 'Doors never used' })
    await table.getByRole('link', { name: idle?.name ?? '' }).waitFor()
    expect(await table.getByRole('link', { name: door.name, exact: true }).count()).toBe(0)
    await credentials(page).getByText('Link', { exact: true }).first().waitFor()
    expect(await page.getByText(/^Those of the whole organization/).count()).toBe(0)
    await page.getByRole('combobox', { name: 'Not used for' }).click()
    await page.getByRole('option', { name: 'a year' }).click()
    await page.getByText('Every door was used.').waitFor()
    await page.close()

    const ofSite = await setting.open(`/reports?site_id=${idle?.site_id}`)
    await credentials(ofSite).getByText('Those of the whole organization, whatever the site.').waitFor()
    await ofSite.close()
  })

  test('nothing moves from under the hand while a part above arrives', async () => {
    const page = await setting.open('/reports')
    await loaded(page)
    const { promise: told, resolve: tell } = Promise.withResolvers<void>()
    await page.route(/\/organization\/activity/, async route => {
      await told
      await route.continue()
    })
    const others = page.waitForResponse(/\/organization\/unused/)
    await page.reload()
    await (await others).finished()
    const span = page.getByRole('combobox', { name: 'Not used for' })
    const first = span.waitFor().then(() => span.boundingBox())
    // Long enough for the page to show what has come.
    await page.evaluate(() => new Promise(done => requestIdleCallback(done)))
    tell()
    const place = await first
    await loaded(page)
    expect(await span.boundingBox()).toEqual(place)
    await page.close()
  })

  test(
    'the access to a door is reviewed: since when, granted by whom, saved and printed',
    within(60),
    async () => {
      const page = await setting.open('/reports')
      await loaded(page)
      await page.getByRole('combobox', { name: 'Door' }).click()
      await page.getByRole('option', { name: door.name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: `Access review: ${door.name}` }).waitFor()
      const table = page.getByRole('table', { name: 'Members with access' })
      await table.getByRole('link').first().waitFor()
      await checkPage(page, `reports-review-${width}`)
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as CSV' }).click()
      const text = await readFile(await (await saving).path(), 'utf8')
      expect(text.split('\r\n')[0]).toBe('Member,Group,When,How,Since,Granted by')
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
      expect(await table.isVisible()).toBe(true)
      await page.close()
    },
  )

  test('the report of the week comes by mail, for who wants it', within(60), async () => {
    const page = await setting.open('/reports')
    const flip = async () => {
      await loaded(page)
      await page.getByRole('switch', { name: /^Mail me the last week/ }).click()
    }
    const next = page.getByText(/^The next one: /)
    await flip()
    await next.waitFor()
    await page.reload()
    await next.waitFor()
    await flip()
    await next.waitFor({ state: 'detached' })
    await page.close()
  })
})
