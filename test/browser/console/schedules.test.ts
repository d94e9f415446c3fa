import { soak, within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  checkLooks,
  checkPage,
  faultsOf,
  openSetting,
  type Setting,
  waitUntilLive,
  widthsFor,
} from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  const hour = 3600
  const closed = { ranges: [] }

  async function makeSchedule(name: string): Promise<string> {
    return (
      await setting.client.schedules.create({ name, weekdays: Array.from({ length: 7 }, () => closed) })
    ).id
  }

  async function rangesOf(id: string) {
    return (await setting.client.schedules.get(id)).weekdays.map(({ ranges }) =>
      ranges.map(({ start, end }) => [start / hour, end / hour]),
    )
  }

  function cell(page: Page, label: string) {
    return page.getByRole('gridcell', { name: label, exact: true })
  }

  async function drag(page: Page, from: string, to: string): Promise<void> {
    await cell(page, from).hover()
    await page.mouse.down()
    await cell(page, to).hover()
    await page.mouse.up()
  }

  async function save(page: Page): Promise<void> {
    const saved = page.waitForResponse(response => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await saved).status()).toBe(200)
  }

  test('list and schedule pass axe in every look', within(120), async () => {
    const id = (await setting.client.schedules.list()).data[0]?.id
    await checkLooks(setting, '/schedules', 'schedules')
    await checkLooks(setting, `/schedules/${id}`, 'schedule')
    const page = await setting.open('/schedules')
    await page.getByText('not on holidays, on half days 08:00 to 12:00').waitFor()
    await page.close()
  })

  test('a week is painted with the mouse, wiped, and copied to other days', async () => {
    const id = await makeSchedule('Painted')
    const page = await setting.open(`/schedules/${id}`)
    await drag(page, 'Monday 09:00 to 09:30', 'Monday 12:30 to 13:00')
    await drag(page, 'Monday 10:00 to 10:30', 'Monday 10:30 to 11:00')
    await page.getByRole('button', { name: 'Copy Monday to other days' }).click()
    await page.getByRole('menuitem', { name: 'Monday to Friday' }).click()
    await page.getByRole('button', { name: 'Copy Friday to other days' }).click()
    await page.getByRole('menuitem', { name: 'Sunday' }).click()
    await save(page)
    const day = [
      [9, 10],
      [11, 13],
    ]
    expect(await rangesOf(id)).toEqual([day, day, day, day, day, [], day])
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('it is painted with the keyboard alone', async () => {
    const id = await makeSchedule('Keys')
    const page = await setting.open(`/schedules/${id}`)
    await cell(page, 'Monday 08:00 to 08:30').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await save(page)
    expect((await rangesOf(id))[1]).toEqual([[8, 9.5]])
    await page.close()
  })

  soak('it is painted with a finger', async () => {
    const id = await makeSchedule('Finger')
    const page = await setting.open(`/schedules/${id}`)
    const [from, to] = [cell(page, 'Sunday 10:00 to 10:30'), cell(page, 'Sunday 11:30 to 12:00')]
    await from.scrollIntoViewIfNeeded()
    const [start, end] = [await middleOf(from), await middleOf(to)]
    const touch = await page.context().newCDPSession(page)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] })
    for (let step = 1; step <= 8; step++)
      await touch.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: [{ x: start.x + ((end.x - start.x) * step) / 8, y: start.y }],
      })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await save(page)
    expect((await rangesOf(id))[6]).toEqual([[10, 12]])
    await page.close()
  })

  soak('a finger that the system takes over paints nothing', async () => {
    const id = await makeSchedule('Taken over')
    const page = await setting.open(`/schedules/${id}`)
    const place = cell(page, 'Sunday 10:00 to 10:30')
    await place.scrollIntoViewIfNeeded()
    const touchPoints = [await middleOf(place)]
    const touch = await page.context().newCDPSession(page)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await expect.poll(() => place.getAttribute('data-cover')).toBe('full')
    await touch.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] })
    await expect.poll(() => place.getAttribute('data-cover')).toBe('none')
    await page.close()
  })

  async function middleOf(place: ReturnType<typeof cell>): Promise<{ x: number; y: number }> {
    const box = await place.boundingBox()
    if (!box) throw new Error('the cell is not shown')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  soak('exact times are typed, and what is wrong with them is told while typing', async () => {
    const id = await makeSchedule('Exact')
    const page = await setting.open(`/schedules/${id}`)
    const tuesday = page.getByRole('textbox', { name: 'Tuesday' })
    await tuesday.fill('08:00-12:15, 12:00-18:00')
    await page.getByText('12:00-18:00 overlaps 08:00-12:15').waitFor()
    await tuesday.fill('22:00-22:00')
    await page.getByText('ends before it starts').waitFor()
    await checkPage(page, `schedule-error-${width}`)
    await tuesday.fill('08:07:30-12:15, 13-24:00')
    await save(page)
    expect((await rangesOf(id))[1]).toEqual([
      [8.125, 12.25],
      [13, 24],
    ])
    await page.close()
  })

  soak(
    'while a time cannot be read nothing is saved, and discarding brings back what was stored',
    async () => {
      const id = await makeSchedule('Mistyped')
      const page = await setting.open(`/schedules/${id}`)
      const save_button = page.getByRole('button', { name: 'Save' })
      await page.getByLabel('Monday', { exact: true }).fill('08:00-12:00')
      await page.getByLabel('Tuesday', { exact: true }).fill('22:00-22:00')
      await page.getByText('ends before it starts').waitFor()
      await expect.poll(() => save_button.isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Discard' }).click()
      await expect.poll(() => page.getByLabel('Tuesday', { exact: true }).inputValue()).toBe('')
      await page.getByLabel('Tuesday', { exact: true }).fill('22:00-24:00')
      await save(page)
      expect(await rangesOf(id)).toEqual([[], [[22, 24]], [], [], [], [], []])
      await page.close()
    },
  )

  soak('what is painted stays while the service fails to answer what changed meanwhile', async () => {
    const id = await makeSchedule('Kept')
    const page = await setting.open(`/schedules/${id}`)
    await waitUntilLive(page)
    await drag(page, 'Monday 09:00 to 09:30', 'Monday 12:30 to 13:00')
    const address = new RegExp(`/v2/schedules/${id}`)
    await page.route(address, route => route.fulfill({ status: 500, body: '{}' }))
    const failed = page.waitForResponse(response => response.status() === 500)
    await setting.client.schedules.edit(id, { name: 'Kept, once renamed' })
    await failed
    await page.unroute(address)
    await setting.client.schedules.edit(id, { name: 'Kept, twice renamed' })
    await page.getByRole('heading', { name: 'Kept, twice renamed' }).waitFor()
    await expect.poll(() => cell(page, 'Monday 10:00 to 10:30').getAttribute('aria-selected')).toBe('true')
    await page.close()
  })

  const paintAndLeave = async (id: string) => {
    const page = await setting.open(`/schedules/${id}`)
    await drag(page, 'Monday 09:00 to 09:30', 'Monday 12:30 to 13:00')
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
    await trail.getByRole('link', { name: 'Schedules' }).click()
    await page.waitForURL(/\/schedules$/)
    return page
  }

  soak('what was not saved is there again for who comes back, until it is discarded', async () => {
    const id = await makeSchedule('Left')
    const page = await paintAndLeave(id)
    await page.goBack()
    const painted = cell(page, 'Monday 10:00 to 10:30')
    await expect.poll(() => painted.getAttribute('aria-selected')).toBe('true')
    expect(await rangesOf(id)).toEqual([[], [], [], [], [], [], []])
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => painted.getAttribute('aria-selected')).toBe('false')
    await page.goForward()
    await page.getByRole('button', { name: 'New schedule' }).waitFor()
    await page.goBack()
    await expect.poll(() => painted.getAttribute('aria-selected')).toBe('false')
    await page.close()
  })

  soak('what was not saved gives way to what somebody else has saved meanwhile', async () => {
    const id = await makeSchedule('Left behind')
    const page = await paintAndLeave(id)
    await setting.client.schedules.edit(id, { name: 'Changed by another' })
    await page.goBack()
    await page.getByRole('heading', { name: 'Changed by another' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Discard' }).count()).toBe(0)
    expect(await cell(page, 'Monday 10:00 to 10:30').getAttribute('aria-selected')).toBe('false')
    await page.close()
  })

  soak('the preview tells what the next clock change does, at a site of choice', async () => {
    const night = { ranges: [{ start: 1.5 * hour, end: 2.5 * hour }] }
    const { id } = await setting.client.schedules.create({
      name: 'Night',
      weekdays: [...Array.from({ length: 6 }, () => closed), night],
    })
    const [tokyo, madrid] = await Promise.all([
      setting.client.sites.create({ name: 'Shibuya', timezone: 'Asia/Tokyo' }),
      setting.client.sites.create({ name: 'Retiro', timezone: 'Europe/Madrid' }),
    ])
    const page = await setting.open(`/schedules/${id}?site=${tokyo.id}`)
    const preview = page.getByRole('region', { name: 'Next clock change' })
    await preview.getByText('do not change within a year').waitFor()
    await page.getByRole('combobox', { name: 'At' }).fill('Retiro')
    await page.getByRole('option', { name: 'Retiro' }).click()
    // When the clocks go forward, 02:00 to 02:30 is skipped. When they go back, it occurs twice.
    await preview.getByText(/the clocks go (forward|back) to 0[23]:00/).waitFor()
    const forward = (await preview.textContent())?.includes('forward')
    await preview
      .getByText(forward ? 'open 30 min instead of 1 hr' : 'open 1 hr 30 min instead of 1 hr')
      .waitFor()
    await expect.poll(() => page.url()).toContain(`site=${madrid.id}`)
    await page.close()
  })

  soak('a schedule is made, deleted and brought back', async () => {
    const page = await setting.open('/schedules?new')
    await page.getByRole('dialog').getByLabel('Name').fill('Siesta')
    await page.getByRole('button', { name: 'Create schedule' }).click()
    await page.getByRole('heading', { name: 'Siesta' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) as string
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await setting.client.schedules.get(id)).is_deleted).toBe(false)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })
})
