import { isSoak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conditionKey } from '../../../packages/server/src/alarms/condition.ts'
import { openAlarms } from '../../../packages/server/src/alarms/open-alarms.ts'
import { serviceCaller } from '../../../packages/server/src/store/caller.ts'
import { faultsOf, looks, openSetting, type Setting, settle, walk, widths } from './setting.ts'

/** Names that must appear as text and stay inside their line everywhere. */
const names = {
  script: `<script>window.harmed = true</script><img src=x onerror="window.harmed = true">\u202egnp.exe\u2066`,
  tall: `Z${'\u0301'.repeat(254)}`,
}

let setting: Setting

beforeAll(async () => {
  setting = await openSetting(null)
  const { client } = setting
  for (const name of Object.values(names)) {
    const site = await client.sites.create({ name, timezone: 'Europe/Madrid', info: name })
    const device = await client.devices.create({ name, site_id: site.id, product_id: 'controller' })
    const gadget = await client.gadgets.create({
      name,
      device_id: device.id,
      actions: [{ id: 'open', name }],
      states: [{ id: 'closed', name }],
    })
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] }))
    const schedule = await client.schedules.create({ name, weekdays })
    await client.gadget_triggers.create({
      source_type: 'schedule',
      source_schedule_id: schedule.id,
      source_schedule_event: 'enter',
      target_gadget_id: gadget.id,
      target_action_id: 'open',
    })
    await client.alarm_rules.create({
      name,
      types: ['door_held'],
      targets: { site_ids: [site.id] },
      schedule_id: schedule.id,
      notify: [{ role: 'owner' }],
    })
    await beginAlarm(gadget.id)
    const short = name.slice(0, 64)
    const tag = await client.tags.create({ name: short })
    const group = await client.member_groups.create({
      name,
      tag_ids: [tag.id],
      permissions: [{ gadget_id: gadget.id, schedule_id: schedule.id }, { site_id: site.id }],
    })
    const card = await client.cards.create({ name, uid: randomUid() })
    const member = await client.members.create({
      name,
      tag_ids: [tag.id],
      metadata: { note: name.slice(0, 200) },
    })
    await client.member_group_associations.create(member.id, { member_group_id: group.id })
    await client.member_cards.create(member.id, { card_id: card.id })
    await client.gadgets.run_action(gadget.id, 'open')
    await client.gadgets.execute_as_member(gadget.id, 'open', { member_id: member.id })
  }
})
afterAll(() => setting[Symbol.asyncDispose]())

async function beginAlarm(gadget_id: string): Promise<void> {
  const { db, clock } = setting.world.server.context
  const now = clock.now()
  const condition_key = conditionKey('door_held', gadget_id)
  const held = { type: 'door_held', condition_key, gadget_id, started_at: now } as const
  await db.transaction(inner =>
    openAlarms(inner, { caller: serviceCaller(setting.organization_id), now }, [held]),
  )
}

function randomUid(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(7)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

async function pathsOf(): Promise<string[]> {
  const { client } = setting
  const lists = {
    members: 'members',
    groups: 'member_groups',
    sites: 'sites',
    devices: 'devices',
    gadgets: 'gadgets',
    schedules: 'schedules',
    cards: 'cards',
    triggers: 'gadget_triggers',
  } as const
  // Each list shows all names. In `npm test` the details of one of them are visited, in turn.
  const visited = (items: readonly { readonly id: string }[], path: string, turn: number) =>
    items.filter((_, index) => isSoak || index === turn % items.length).map(({ id }) => `/${path}/${id}`)
  const details = await Promise.all(
    Object.entries(lists).map(async ([path, plural], turn) =>
      visited((await client[plural].list()).data, path, turn),
    ),
  )
  const events = visited((await client.events.list({ limit: 3 })).data, 'events', 0)
  // One component draws all lists, so in `npm test` two stand for them.
  const paths = isSoak ? Object.keys(lists) : ['members', 'gadgets']
  return [
    '/',
    '/events',
    '/tags',
    '/alarms',
    '/alarms/rules',
    ...paths.map(path => `/${path}`),
    ...details.flat(),
    ...events,
  ]
}

test(
  'malicious names show as text everywhere, run nothing, turn nothing around and grow out of nothing',
  within(120),
  async () => {
    const page = await setting.open('/members')
    for (const path of await pathsOf()) {
      await walk(page, setting, path)
      await settle(page)
      expect([path, await page.evaluate(() => 'harmed' in window)]).toEqual([path, false])
      for (const width of widths) {
        await page.setViewportSize(looks[width])
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([path, width, wider]).toEqual([path, width, 0])
      }
      expect([path, await page.locator('main script, main img').count()]).toEqual([path, 0])
      expect([path, faultsOf(page)]).toEqual([path, []])
    }
    await page.goto(`${setting.url}/o/${setting.organization_id}/members`)
    await page.getByText('<script>window.harmed').first().waitFor()
    const isolated = await page.evaluate(
      () =>
        [...document.querySelectorAll('.name')].filter(
          name => getComputedStyle(name).unicodeBidi !== 'isolate',
        ).length,
    )
    expect(isolated).toBe(0)
    await page.close()
  },
)

test('the search shows them as text, too', async () => {
  const page = await setting.open('/')
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill('<script>')
  await search.getByRole('option').first().waitFor()
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false)
  expect(faultsOf(page)).toEqual([])
  await page.close()
})
