import { readFile } from 'node:fs/promises'
import { soak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  checkLooks,
  checkPage,
  openSetting,
  type Setting,
  waitUntilLive,
  walk,
  widthsFor,
} from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let denied: string

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    const { client } = setting
    const door = (await client.gadgets.list({ q: 'Pool' })).data[0]?.id as string
    const cleaner = (await client.members.list({ q: 'Cleaning team' })).data[0]?.id as string
    await client.gadgets.run_action(door, 'open')
    await client.gadgets.execute_as_member(door, 'open', { member_id: cleaner }).catch(() => undefined)
    denied = (await client.events.list({ 'object.type': 'access_denial' })).data[0]?.id as string
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('list and event pass axe in every look', within(120), async () => {
    await checkLooks(setting, '/events', 'events')
    await checkLooks(setting, `/events/${denied}`, 'event')
  })

  test('views and filters narrow the list, and stand in the address', async () => {
    const page = await setting.open('/events')
    const table = page.getByRole('table', { name: 'Events' })
    await page.getByRole('button', { name: 'Denied' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await table.getByText('Cleaning team was denied at Pool').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('object.type')).toBe('access_denial')
    await page.getByRole('button', { name: 'Everything' }).click()
    if (width === 'phone') await page.getByRole('button', { name: /^Filters/ }).click()
    await page.getByRole('combobox', { name: 'Member' }).fill('clean')
    await page.getByRole('option', { name: 'Cleaning team' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await page.getByRole('button', { name: 'Everything' }).click()
    await page.getByRole('combobox', { name: 'More filters' }).fill('card')
    await page.getByRole('option', { name: 'Card', exact: true }).click()
    await page.getByRole('combobox', { name: 'Card', exact: true }).fill('Spare')
    await page.getByRole('option', { name: /Spare/ }).click()
    await table.getByText('Spare card').waitFor()
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await page.getByText('1 in total', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Everything' }).click()
    const add = async (filter: string, value: string) => {
      await page.getByRole('combobox', { name: 'More filters' }).fill(filter)
      await page.getByRole('option', { name: filter, exact: true }).click()
      await page.getByRole('combobox', { name: filter, exact: true }).fill(value)
      await page.getByRole('option', { name: value, exact: true }).click()
    }
    await add('Group', 'Cleaning')
    await table.getByText('Cleaning team was denied at Pool').waitFor()
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await page.getByRole('button', { name: 'Everything' }).click()
    await add('Tag', 'Outdoor')
    await expect.poll(() => new URL(page.url()).search).toMatch(/^\?tag_id=tag_\w+$/)
    await table.getByText('Front door').first().waitFor()
    await expect.poll(() => table.getByText('Cleaning team').count()).toBe(0)
    await page.getByRole('button', { name: 'Everything' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(5)
    await page.getByRole('combobox', { name: 'When' }).click()
    await page.getByRole('option', { name: 'Yesterday' }).click()
    await page.getByText(/, days in /).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?when=yesterday')
    await page.getByRole('combobox', { name: 'When' }).click()
    await page.getByRole('option', { name: 'Last 7 days' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(5)
    await expect.poll(() => new URL(page.url()).search).toBe('?when=week')
    await page.getByRole('button', { name: 'Everything' }).click()
    const first = () => table.getByRole('row').nth(1).textContent()
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(5)
    const newest = await first()
    await page.getByRole('combobox', { name: 'Order' }).click()
    await page.getByRole('option', { name: 'Oldest first' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=created_at%3Aasc')
    await expect.poll(first).not.toBe(newest)
    await page.close()
  })

  test('filters of a link are told in words, and taken away', async () => {
    const { client } = setting
    const day = { ranges: [{ start: 28_800, end: 64_800 }] }
    const { id: source_schedule_id } = await client.schedules.create({
      name: 'Breakfast',
      weekdays: Array.from({ length: 7 }, () => day),
    })
    const [door] = (await client.gadgets.list({ limit: 1 })).data
    const trigger = await client.gadget_triggers.create({
      source_type: 'schedule',
      source_schedule_id,
      source_schedule_event: 'exit',
      target_gadget_id: door?.id ?? '',
      target_action_id: door?.actions[0]?.id ?? '',
    })
    const filters = {
      'object.changed_field': 'permissions',
      'object.gadget_trigger_id': trigger.id,
      'recorded_at:ge': '2020-07-01T10:00:00Z',
    }
    const page = await setting.open(`/events?${new URLSearchParams(filters)}`)
    if (width === 'phone') await page.getByRole('button', { name: /^Filters/ }).click()
    await page.getByText('Trigger: Breakfast ends', { exact: true }).waitFor()
    // The hotel has sites in several zones.
    await page
      .getByRole('button', { name: 'Remove filter Recorded from' })
      .filter({ hasText: /^Recorded from: 1 Jul 2020, \d\d:00 \(.+ time\)$/ })
      .waitFor()
    await page.getByText('Changed field: rules', { exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('object.changed_field')).toBe(false)
    await page.close()
  })

  test('a search that was far and found little goes on when asked', async () => {
    const [group] = (await setting.client.member_groups.list({ limit: 1 })).data
    const page = await setting.open('/members')
    let requests = 0
    await page.route(/\/v2\/events\?.*expand/, async route => {
      requests++
      await route.fulfill({
        json: { data: [], has_next: true, cursor_next: 'next', searched_to: '2026-05-03T10:00:00.000000Z' },
      })
    })
    await walk(page, setting, `/events?member_group_id=${group?.id}`)
    await page.getByText(/^Searched as far as 3 May 2026, \d\d:\d\d \(.+ time\)\.$/).waitFor()
    expect(await page.getByText('No matching events').count()).toBe(0)
    expect(requests).toBe(5)
    await checkPage(page, `events-searched-${width}`)
    await page.route(/\/v2\/events\?.*expand/, route =>
      route.fulfill({ json: { data: [], has_next: false } }),
    )
    await page.getByRole('button', { name: 'Search on' }).click()
    await page.getByText('No matching events').waitFor()
    await page.close()
  })

  test('doors in what changed are named, also those that are gone', async () => {
    const { client, organization_id, world } = setting
    const [door] = (await client.gadgets.list({ q: 'Pool' })).data
    const { id } = await client.member_groups.create({ name: 'Swimmers', permissions: [] })
    await client.member_groups.edit(id, { permissions: [{ gadget_id: door?.id ?? '' }] })
    await world.server.context.db.query(
      `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
       SELECT 'evt_' || repeat('0', 20), $1, '{}', 'edit', replace(object::text, $3, 'gad_' || repeat('0', 20))::jsonb,
         created_at, recorded_at, false FROM events
       WHERE organization_id = $1 AND object->>'member_group_id' = $2 AND verb = 'edit'`,
      [organization_id, id, door?.id],
    )
    const page = await setting.open('/events?object.changed_field=permissions')
    const table = page.getByRole('table', { name: 'Events' })
    await table.getByText('rule 1: nothing → door Pool').waitFor()
    await table.getByText('rule 1: nothing → door (deleted)').waitFor()
    await page.close()
  })

  soak('a view is saved, found again, forgotten', async () => {
    const page = await setting.open('/events?verb=use&object.type=gadget_action')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('View name').fill('My doors')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Everything' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'My doors', exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('verb')).toBe('use')
    await page.getByRole('button', { name: 'Delete view My doors' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'My doors', exact: true }).count()).toBe(0)
    await page.close()
  })

  soak('what the filters match is exported', async () => {
    const page = await setting.open('/events?object.type=access_denial')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('method_not_allowed')
    await page.close()
  })

  test('new events are offered and do not move what is read', async () => {
    const page = await setting.open('/events')
    await waitUntilLive(page)
    await page.getByRole('table', { name: 'Events' }).getByRole('link').first().waitFor()
    await setting.client.members.create({ name: 'Brand new' })
    await page.getByRole('button', { name: /Show 1 new event/ }).click()
    await page.getByRole('table').getByText('Brand new').waitFor()
    await page.close()
  })

  test('events that reach readers late are not offered as new', async () => {
    const { db, feed } = setting.world.server.context
    const { promise, resolve: end } = Promise.withResolvers<void>()
    const lasting = db.transaction(async inner => {
      await inner.query('SELECT pg_current_xact_id()')
      await promise
    })
    // More than the first page of the list.
    for (let count = 0; count < 60; count++) await setting.client.members.create({ name: 'Held back' })
    await expect.poll(() => feed.lag()).toBeGreaterThan(0)
    const page = await setting.open('/events')
    await waitUntilLive(page)
    await page.getByRole('table').getByText('Held back').first().waitFor()
    end()
    await lasting
    await expect.poll(() => feed.lag()).toBe(0)
    await setting.client.members.create({ name: 'Newest' })
    await page.getByRole('button', { name: 'Show 1 new event', exact: true }).click()
    await page.getByRole('table').getByText('Newest').waitFor()
    await page.close()
  })

  test('a denial explains itself as on the day, and an edit says what changed', async () => {
    const { client } = setting
    const { explanation } = await client.events.get(denied)
    const group = explanation?.rules[0]?.member_group_id ?? ''
    await client.member_groups.edit(group, { permissions: [] })
    const page = await setting.open(`/events/${denied}`)
    const why = page.getByRole('region', { name: 'Why' })
    await why.getByText('This way of opening is not allowed.').waitFor()
    await why.getByText('the rule allowed Mon to Fri 08:00 to 18:00, by PIN or card').waitFor()
    await why.getByText('The rule has changed since.').waitFor()
    await page.close()
    const [edit] = (await client.events.list({ 'object.changed_field': 'permissions', limit: 1 })).data
    const other = await setting.open(`/events/${edit?.id}`)
    const changed = other.getByRole('region', { name: 'What changed' })
    await changed.getByText(/^Rule 1 was removed; it was site .*, methods PIN or card/).waitFor()
    await other.close()
  })
})
