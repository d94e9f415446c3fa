import { doorTemplates } from '@gatehouse-access/api'
import { soak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from './png.ts'
import {
  checkLooks,
  checkPage,
  faultsOf,
  openSetting,
  type Setting,
  waitUntilLive,
  widthsFor,
} from './setting.ts'

/** Walls around two rooms. */
const drawing = png(800, 500, (x, y) =>
  x < 8 || y < 8 || x > 791 || y > 491 || (Math.abs(x - 400) < 4 && Math.abs(y - 250) > 60)
    ? [60, 64, 72]
    : [250, 250, 248],
)

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('a picture of the site gets its doors, and shows which is open', within(120), async () => {
    const { client } = setting
    const site = (await client.sites.list({ q: 'Madrid' })).data[0]?.id as string
    const front = (await client.gadgets.list({ q: 'Front door', site_id: site })).data[0]
    const placeOf = async () => (await client.gadgets.get(front?.id as string)).plan_position
    const page = await setting.open(`/sites/${site}`)
    const plan = page.getByRole('region', { name: 'Floor plan' })
    await plan.getByText('No floor plan yet').waitFor()
    await plan
      .getByLabel('Floor plan file')
      .setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: drawing })
    await plan.getByText('No door is placed on it yet.').waitFor()
    await plan.getByRole('button', { name: 'Place doors' }).click()
    await plan.getByRole('button', { name: 'Place Front door' }).click()
    const pin = plan.getByRole('button', { name: 'Move Front door' })
    await expect.poll(placeOf).toEqual({ x: 0.5, y: 0.5 })

    const picture = plan.getByRole('img', { name: /^Floor plan of/ })
    await picture.scrollIntoViewIfNeeded()
    const box = await picture.boundingBox()
    if (!box) throw new Error('the picture has no place')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.4, { steps: 4 })
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.8, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await placeOf())?.x).toBeCloseTo(0.25, 1)
    const { x = 0, y = 0 } = (await placeOf()) ?? {}
    expect(y).toBeCloseTo(0.8, 1)
    await pin.press('ArrowRight')
    await expect.poll(async () => (await placeOf())?.x).toBeCloseTo(x + 0.01, 3)
    await plan.getByRole('button', { name: 'Place Lift' }).click()
    await plan.getByRole('button', { name: 'Move Lift' }).press('Delete')
    await plan.getByRole('button', { name: 'Place Lift' }).waitFor()
    await checkPage(page, `floor-plan-placing-${width}`)

    await plan.getByRole('button', { name: 'Done' }).click()
    const shown = plan.getByRole('button', { name: /^Front door: / })
    await shown.click()
    await page.getByRole('button', { name: /^Open: Front door/ }).click()
    await page.keyboard.press('Escape')
    await plan.getByRole('button', { name: 'Front door: Open' }).waitFor()
    await checkLooks(setting, `/sites/${site}`, `floor-plan-${width}`)

    // What happens at the door is shown without a touch.
    await waitUntilLive(page)
    const { id: gadget_id = '', device_id = '', door } = front ?? {}
    const report = (state_id: string) =>
      client.devices.simulate(device_id, { state: { gadget_id, state_id } })
    await report(door?.closed_state_id ?? '')
    await plan.getByRole('button', { name: 'Front door: Closed' }).waitFor()
    await report(door?.open_state_id ?? '')
    await plan.getByRole('button', { name: 'Front door: Open' }).waitFor()
    await client.devices.simulate(device_id, { network: 'offline' })
    await plan.getByRole('button', { name: 'Front door: Offline' }).waitFor()

    await plan.getByRole('button', { name: 'Place doors' }).click()
    await plan.getByRole('button', { name: 'Remove' }).click()
    await plan.getByText('No floor plan yet').waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('the plan of a site with hundreds of doors is live too', within(120), async () => {
    const { client } = setting
    const site = await client.sites.create({ name: 'Campus', timezone: 'Europe/Madrid' })
    const image = `data:image/png;base64,${drawing.toString('base64')}`
    await client.sites.set_floor_plan(site.id, { image })
    const makeDevice = (name: string) =>
      client.devices.create({ name, site_id: site.id, product_id: 'controller' })
    const makeDoor = (name: string, device_id: string) =>
      client.gadgets.create({ name, device_id, ...doorTemplates.plain })
    for (let floor = 0; floor < 39; floor++) {
      const { id } = await makeDevice(`Floor ${floor}`)
      for (let door = 0; door < 8; door++) await makeDoor(`Door ${floor}.${door}`, id)
    }
    const device = await makeDevice('Gate controller')
    const last = await makeDoor('Far gate', device.id)
    await client.gadgets.edit(last.id, { plan_position: { x: 0.5, y: 0.5 } })
    const page = await setting.open(`/sites/${site.id}`)
    const plan = page.getByRole('region', { name: 'Floor plan' })
    await plan.getByRole('button', { name: /^Far gate: / }).waitFor()
    await waitUntilLive(page)
    await client.devices.simulate(device.id, { network: 'offline' })
    await plan.getByRole('button', { name: 'Far gate: Offline' }).waitFor()
    await page.close()
  })
})
