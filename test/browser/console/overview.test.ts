import { quickest, soak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '../../oauth/people.ts'
import {
  checkLooks,
  checkPage,
  faultsOf,
  openPage,
  openSetting,
  type Setting,
  signedIn,
  waitUntilLive,
  widthsFor,
} from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let door: string

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    const { data } = await setting.client.gadgets.list({ q: 'Front door' })
    door = data[0]?.id as string
    await setting.client.gadgets.run_action(door, 'open')
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('every look of the overview passes axe and keeps to its width', within(120), async () => {
    await checkLooks(setting, '/', 'overview')
  })

  soak('an opening appears in the feed within a second, and in the activity', async () => {
    const page = await setting.open('/')
    await waitUntilLive(page)
    const feed = page.getByRole('list', { name: 'Live events' })
    await expect.poll(() => feed.getByText('opened').count()).toBe(1)
    const counted = page.getByRole('status').first()
    await expect.poll(() => counted.textContent()).toContain('1 opened')
    const { data } = await setting.client.members.list({ q: 'Night manager' })
    const shown = feed.getByText('Night manager opened Front door')
    let times = 0
    const openAndSee = async () => {
      const started = Date.now()
      await setting.client.gadgets.execute_as_member(door, 'open', { member_id: data[0]?.id as string })
      await shown.nth(times++).waitFor()
      return Date.now() - started
    }
    expect(await quickest(1000, openAndSee)).toBeLessThan(1000)
    await expect.poll(() => counted.textContent()).toContain(`${times + 1} opened`)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('a door is opened from here, and the door tells when it was last used', async () => {
    const page = await setting.open('/')
    const row = page.getByRole('listitem').filter({ hasText: 'Pool' }).first()
    await row.getByRole('button', { name: /^Open: Pool/ }).click()
    await row.getByText('Done').waitFor()
    const feed = page.getByRole('list', { name: 'Live events' })
    await feed.getByText('Olivia Owner opened Pool').waitFor()
    await page.close()
  })

  test('the live list is narrowed, and the service and the stream are asked for the same', async () => {
    const page = await setting.open('/')
    const feed = page.getByRole('list', { name: 'Live events' })
    await feed.getByText('opened').first().waitFor()
    await page.getByRole('combobox', { name: 'Show in the live list' }).selectOption('Denials')
    await page.getByText('Nothing of this yet').waitFor()
    await waitUntilLive(page)
    const { data } = await setting.client.members.list({ q: 'Cleaning team' })
    const pool = (await setting.client.gadgets.list({ q: 'Pool' })).data[0]?.id as string
    const as = { member_id: data[0]?.id as string }
    await setting.client.gadgets.execute_as_member(pool, 'open', as).catch(() => undefined)
    await feed.getByText('Cleaning team was denied at Pool').waitFor()
    expect(await feed.getByText('opened').count()).toBe(0)
    expect(await page.getByRole('region', { name: 'First steps' }).count()).toBe(0)

    const { client } = setting
    const { id } = await client.tags.create({ name: 'Seaside' })
    await client.tags.edit(id, { name: 'Seaside rooms' })
    await page.getByRole('combobox', { name: 'Show in the live list' }).selectOption('Changes')
    const changes = ['added', 'changed', 'deleted'].map(did =>
      feed.getByRole('listitem').filter({ hasText: new RegExp(`${did} the tag Seaside`) }),
    )
    await changes[1]?.waitFor()
    await client.tags.delete(id)
    for (const shown of changes) await shown.waitFor()
    await page.reload()
    await page.getByRole('combobox', { name: 'Show in the live list' }).selectOption('Changes')
    for (const shown of changes) await shown.waitFor()
    expect(await feed.getByText(/opened|was denied/).count()).toBe(0)
    await page.close()
  })

  test('doors are counted, and those offline say since when', async () => {
    const { client } = setting
    const { device_id } = await client.gadgets.get(door)
    await client.devices.simulate(device_id, { network: 'offline' })
    await expect.poll(async () => (await client.devices.get(device_id)).status.online).toBe(false)
    const page = await setting.open('/')
    const doors = page.getByRole('region', { name: 'Doors', exact: true })
    await doors.getByText(/^\d+ doors, \d+ offline$/).waitFor()
    await doors
      .getByRole('listitem')
      .first()
      .getByText(/Offline since .* (CES?T|GMT[+-]\d)/)
      .waitFor()
    const row = doors.getByRole('listitem').filter({ hasText: 'Front door' }).first()
    await row.getByText(/Offline since/).waitFor()
    await row.getByRole('img', { name: 'Offline' }).waitFor()
    expect(await row.evaluate(overlaps)).toBe(false)
    await checkPage(page, `overview-offline-${width}`)
    await page.close()
    await client.devices.simulate(device_id, { network: 'online' })
    await expect.poll(async () => (await client.devices.get(device_id)).status.online).toBe(true)
  })

  soak('what happens while the stream is still being opened is not missing', async () => {
    const page = await setting.open('/')
    const happened = Promise.withResolvers<void>()
    await page.route(/stream_tickets/, async route => {
      await happened.promise
      await route.continue()
    })
    await page.reload()
    const feed = page.getByRole('list', { name: 'Live events' })
    await feed.getByRole('listitem').first().waitFor()
    await setting.client.members.create({ name: 'Between two' })
    happened.resolve()
    await feed.getByText('Between two').waitFor()
    await page.close()
  })

  test('a door tells its state and its last 24 hours, and the activity each hour', async () => {
    const { id } = await setting.client.gadgets.create({
      name: 'Loading bay',
      device_id: (await setting.client.gadgets.get(door)).device_id,
      states: [{ id: 'ajar', name: 'Ajar' }],
    })
    await setting.client.gadgets.run_action(id, 'open')
    await setting.world.server.context.db.query(`UPDATE gadgets SET state_id = 'ajar' WHERE id = $1`, [id])
    const page = await setting.open('/')
    const row = page.getByRole('listitem').filter({ hasText: 'Loading bay' }).first()
    await row.getByText('Ajar').waitFor()
    await row.getByRole('img', { name: /^Loading bay: 1 opened, 0 denied/ }).waitFor()
    const plot = page.getByRole('img', { name: /^Activity by hour: \d+ opened, \d+ denied/ })
    await expect.poll(() => plot.locator('title').count()).toBeGreaterThanOrEqual(24)
    await page.close()
  })

  soak('without the whitelabel feature the button is off and says why', async () => {
    await setting.world.server.context.db.query(
      `UPDATE organizations SET features = '{"whitelabel": false}' WHERE id = $1`,
      [setting.organization_id],
    )
    const page = await setting.open('/')
    const button = page.getByRole('button', { name: /^Open: Pool/ })
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => button.getAttribute('aria-label')).toContain('needs the whitelabel feature')
    const events = (await setting.client.events.list({ limit: 100 })).data.length
    await button.click({ force: true })
    await expect.poll(async () => (await setting.client.events.list({ limit: 100 })).data.length).toBe(events)
    await page.close()
  })

  soak('devices that are offline or low on battery are listed', async () => {
    const page = await setting.open('/')
    const devices = page.getByRole('region', { name: 'Devices' })
    await devices.getByText('Basement gateway').waitFor()
    const { data } = await setting.client.devices.list({ q: 'Room 101' })
    await setting.world.server.context.db.query(
      `UPDATE devices SET status = status || '{"battery_present": true, "battery_percent": 12}' WHERE id = $1`,
      [data[0]?.id],
    )
    await page.reload()
    await devices.getByText('Battery 12%').waitFor()
    await devices.getByRole('link', { name: 'Room 101' }).click()
    await page.waitForURL(/\/devices\/dev_/)
    await page.close()
  })

  test('a broken connection is resumed without a gap', async () => {
    const page = await setting.open('/')
    await waitUntilLive(page)
    await page.context().setOffline(true)
    await setting.client.members.create({ name: 'Came while away' })
    await page.context().setOffline(false)
    await page.getByRole('list', { name: 'Live events' }).getByText('Came while away').waitFor()
    await expect
      .poll(() => page.getByRole('list', { name: 'Live events' }).getByText('Came while away').count())
      .toBe(1)
    await page.close()
  })

  soak('what cannot be loaded is not told as nothing, and comes when asked again', async () => {
    const context = await signedIn(setting.browser, setting.visitor)
    await context.route('**/v2/**', route => route.fulfill({ status: 500, body: '{}' }))
    const page = await openPage(context, `${setting.url}/o/${setting.organization_id}`, width)
    await expect.poll(() => page.getByRole('alert').count()).toBe(4)
    expect(await page.getByText('No devices yet').count()).toBe(0)
    expect(await page.getByText('0 opened').count()).toBe(0)
    await checkPage(page, `overview-failed-${width}`)
    await context.unroute('**/v2/**')
    for (const title of ['Activity', 'Doors', 'Devices', 'Live'])
      await page.getByRole('region', { name: title }).getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: /^Open: Pool/ }).waitFor()
    await page.getByRole('status').filter({ hasText: 'opened' }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await context.close()
  })

  test('a viewer looks, and sees no button that opens', async () => {
    await setting.visitor.account('POST', `/account/organizations/${setting.organization_id}/invitations`, {
      email: 'viewer@example.com',
      role: 'viewer',
    })
    const viewer = await signUp(setting.world, 'viewer@example.com')
    const { body } = await viewer.account<{ data: { id: string }[] }>('GET', '/account/invitations')
    await viewer.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
    const context = await signedIn(setting.browser, viewer)
    const page = await openPage(context, `${viewer.url}/o/${setting.organization_id}`, width)
    const row = page.getByRole('region', { name: 'Doors', exact: true }).getByRole('listitem')
    await row.filter({ hasText: 'Pool' }).waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    await checkPage(page, `overview-viewer-${width}`)
    await page.goto(`${viewer.url}/o/${setting.organization_id}/members`)
    await page.getByRole('link', { name: 'Night manager' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'New member' }).count()).toBe(0)
    await context.close()
  })
})

/** Whether the name of a door lies over what is said of it. */
function overlaps(row: Element): boolean {
  const boxOf = (selector: string) => {
    const range = document.createRange()
    range.selectNodeContents(row.querySelector(selector) as Element)
    return range.getBoundingClientRect()
  }
  const [name, state] = [boxOf('.door-name'), boxOf('.door-state')]
  return name.right > state.left && name.bottom > state.top
}
