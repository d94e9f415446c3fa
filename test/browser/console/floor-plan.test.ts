import { within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from './png.ts'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

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

    await plan.getByRole('button', { name: 'Place doors' }).click()
    await plan.getByRole('button', { name: 'Remove' }).click()
    await plan.getByText('No floor plan yet').waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })
})
