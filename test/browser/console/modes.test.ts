import { doorTemplates, siteRoleScopesOf } from '@gatehouse-access/api'
import { soak, within } from '@gatehouse-access/testkit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  checkLooks,
  checkPage,
  faultsOf,
  openSetting,
  type Setting,
  waitUntilLive,
  walk,
  widthsFor,
} from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let site_id: string
  let door_id: string
  let device_id: string
  let schedule_id: string

  beforeAll(async () => {
    setting = await openSetting('office', { width, delivery: true })
    const { client } = setting
    // The tests make their own.
    for (const { id } of (await client.unlock_rules.list()).data) await client.unlock_rules.delete(id)
    for (const { id } of (await client.emergency_plans.list()).data) await client.emergency_plans.delete(id)
    site_id = (await client.sites.list()).data[0]?.id as string
    const door = (await client.gadgets.list({ q: 'Front door' })).data[0]
    door_id = door?.id as string
    device_id = door?.device_id as string
    schedule_id = (await client.schedules.list({ q: 'Office hours' })).data[0]?.id as string
    await client.gadgets.create({ name: 'Lamp', device_id, actions: [{ id: 'on', name: 'On' }] })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  const idIn = (url: string) => new URL(url).pathname.split('/').at(-1) as string
  /** Runs in the page. Returns how many pixels are between its end and the notices. */
  function roomAtEnd(): number {
    window.scrollTo(0, document.documentElement.scrollHeight)
    const rectOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
    return (rectOf('.notices')?.top ?? 0) - (rectOf('.page > :last-child')?.bottom ?? 0)
  }

  /** Runs in the page. Whether the middle of it can be pressed without scrolling. */
  function isSeen(button: Element): boolean {
    const { x, y, width, height } = button.getBoundingClientRect()
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }

  const bannerOf = (page: Page) => page.getByRole('region', { name: 'Active emergencies' })

  async function pick(page: Page, form: Locator, label: string, option: string): Promise<void> {
    await form.getByRole('combobox', { name: label }).click()
    await form.getByRole('combobox', { name: label }).fill(option)
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  test('doors of a virtual device confirm what they are', async () => {
    const unconfirmed = async () =>
      (await setting.client.gadgets.list()).data.filter(({ mode }) => mode?.is_confirmed === false)
    await expect.poll(unconfirmed).toEqual([])
  })

  test('a plan is made, says what would happen, and is started by two touches and a hold', async () => {
    const page = await setting.open('/emergencies?new')
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Lock the office')
    const { name } = await setting.client.sites.get(site_id)
    await pick(page, form, 'All doors of sites', name)
    await page.keyboard.press('Escape')
    await checkPage(page, `plan-form-${width}`)
    const create = form.getByRole('button', { name: 'Create plan' })
    expect(await create.evaluate(isSeen)).toBe(true)
    await create.click()
    await page.getByRole('heading', { name: 'Lock the office' }).waitFor()
    const doors = page.getByRole('table', { name: 'Doors of the plan' })
    // What cannot comes first.
    await expect.poll(() => doors.getByRole('row').nth(1).innerText()).toMatch(/Lamp[\s\S]*Not possible/)
    await page.getByText(/\d+ doors locked · 1 door cannot/).waitFor()
    expect(siteRoleScopesOf('emergency.create')).toEqual(['role:front_desk', 'role:site_administrator'])
    await page.getByText('Owners, administrators, site administrators and front desks').waitFor()

    await page.getByRole('link', { name: 'Emergencies' }).filter({ visible: true }).first().click()
    await page.getByRole('button', { name: /^Start Lock the office/ }).click()
    const start = page.getByRole('button', { name: 'Hold to start: Lock the office' })
    // As a screen reader reads it: what it is and does before how to start it.
    const read = await page.getByRole('dialog').ariaSnapshot()
    expect(read).toMatch(
      /Lock the office.*People can always leave.*Doors.*Exempt.*switch "This is a drill.*textbox "Reason".*button "Hold to start/s,
    )
    await start.hover()
    await page.mouse.down()
    await page.getByRole('status').filter({ hasText: 'Keep holding' }).waitFor()
    await page.mouse.up()
    await page.getByRole('status').filter({ hasText: 'Released too early' }).waitFor()
    await checkPage(page, `emergency-start-${width}`)
    expect((await setting.client.emergencies.list()).data).toEqual([])

    await page.mouse.down()
    await page.getByRole('heading', { name: 'Lock the office', level: 1 }).waitFor()
    await page.mouse.up()
    await page.getByRole('table', { name: 'Doors of the emergency' }).getByText('Front door').waitFor()
    const emergency = (await setting.client.emergencies.list()).data[0]
    expect(emergency).toMatchObject({ id: idIn(page.url()), is_active: true, is_drill: false })
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('every screen tells of it, a door says why it is locked, and holding a key ends it', async () => {
    const page = await setting.open('/members')
    const banner = bannerOf(page)
    await banner.getByText('Lock the office').waitFor()
    await banner.getByText('Lockdown', { exact: true }).waitFor()
    await banner.getByText('All 3 doors have confirmed').waitFor()
    await walk(page, setting, `/gadgets/${door_id}`)
    const mode = page.getByRole('region', { name: 'Mode' })
    await mode.getByText('Locked down').first().waitFor()
    await mode.getByText('The emergency decides').waitFor()
    await page.getByRole('button', { name: 'Open: Front door' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Open anyway' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { data } = await setting.client.events.list({ 'object.type': 'gadget_action', limit: 1 })
    expect(data[0]?.object).toMatchObject({ gadget_id: door_id, override_emergency: true })
    const end = banner.getByRole('button', { name: 'Hold to end: Lock the office' })
    await end.focus()
    await page.keyboard.down('Space')
    await banner.waitFor({ state: 'detached' })
    await page.keyboard.up('Space')
    await mode.getByText('Controlled', { exact: true }).waitFor()
    await walk(page, setting, '/emergencies')
    await page.getByRole('table', { name: 'Emergencies' }).getByText('Ended').waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('a door is unlocked for an hour, locked, and given back to its schedule, each with an undo', async () => {
    const page = await setting.open(`/gadgets/${door_id}`)
    const mode = page.getByRole('region', { name: 'Mode' })
    await mode.getByRole('button', { name: 'Unlock until…' }).click()
    await page.getByRole('radio', { name: '1 hour' }).check()
    await checkPage(page, `unlock-until-${width}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock', exact: true }).click()
    await mode.getByText(/Unlocked by hand on .*, until/).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await mode.getByText('Controlled', { exact: true }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'Front door is as before' }).waitFor()
    await mode.getByRole('button', { name: 'Lock now' }).click()
    await mode.getByText(/Locked by hand on .*, without an end/).waitFor()
    await page.getByText('Front door is locked', { exact: true }).waitFor()
    // Is taken away, and does not just end after its time.
    await expect.poll(() => page.getByText('is as before').count(), { timeout: 2000 }).toBe(0)
    await checkPage(page, `locked-${width}`)
    if (width === 'phone') expect(await page.evaluate(roomAtEnd)).toBeGreaterThanOrEqual(0)
    await mode.getByRole('button', { name: 'Back to schedule' }).click()
    await mode.getByText('Nothing else is set').waitFor()
    expect((await setting.client.gadgets.get(door_id)).mode).toMatchObject({ source: 'default' })
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('an unlock rule waits for its first person, and shows its week', async () => {
    const page = await setting.open('/unlock-rules?new')
    const form = page.getByRole('dialog')
    const { name } = await setting.client.sites.get(site_id)
    const group = (await setting.client.member_groups.list()).data[0]
    await form.getByRole('textbox', { name: 'Name' }).fill('Lobby by day')
    await pick(page, form, 'Site', name)
    await pick(page, form, 'Doors', 'Front door')
    await page.keyboard.press('Escape')
    await pick(page, form, 'Unlocked during', 'Office hours')
    await form.getByRole('switch', { name: 'Wait for the first person' }).check()
    await pick(page, form, 'Somebody of these groups', group?.name as string)
    await page.keyboard.press('Escape')
    await checkPage(page, `unlock-rule-form-${width}`)
    await form.getByRole('button', { name: 'Create unlock rule' }).click()
    await page.getByRole('heading', { name: 'Lobby by day' }).waitFor()
    const days = page.getByRole('list', { name: 'Unlocked, next 7 days' }).getByRole('listitem')
    await expect.poll(() => days.count()).toBe(7)
    expect(await setting.client.unlock_rules.get(idIn(page.url()))).toMatchObject({
      gadget_ids: [door_id],
      schedule_id,
      first_person: { member_group_ids: [group?.id], early_seconds: 1800, before: 'controlled' },
    })
    await setting.client.unlock_rules.delete(idIn(page.url()))
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('a pair of triggers becomes an unlock rule, and an undo brings the triggers back', async () => {
    for (const [source_schedule_event, target_action_id] of [
      ['enter', 'hold'],
      ['exit', 'secure'],
    ] as const)
      await setting.client.gadget_triggers.create({
        source_type: 'schedule',
        source_schedule_id: schedule_id,
        source_schedule_event,
        target_gadget_id: door_id,
        target_action_id,
      })
    const page = await setting.open('/triggers')
    await page.getByRole('button', { name: 'Turn into an unlock rule' }).click()
    await page.getByText('No triggers yet').waitFor()
    const rules = () => setting.client.unlock_rules.list().then(({ data }) => data)
    expect(await rules()).toMatchObject([{ gadget_ids: [door_id], schedule_id, first_person: null }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Turn into an unlock rule' }).waitFor()
    expect(await rules()).toEqual([])
    await page.close()
  })

  soak('a site learns which contact means a fire', async () => {
    const { states } = doorTemplates.plain
    const contact = await setting.client.gadgets.create({
      name: 'Fire panel',
      device_id,
      states: [...states],
    })
    const page = await setting.open(`/sites/${site_id}`)
    const section = page.getByRole('region', { name: 'Fire alarm' })
    await section.getByRole('button', { name: 'Set up' }).click()
    const form = page.getByRole('dialog')
    await pick(page, form, 'Contact', 'Fire panel')
    await form.getByRole('combobox', { name: 'State while there is a fire' }).click()
    await page.getByRole('option', { name: 'Open', exact: true }).click()
    await checkPage(page, `fire-form-${width}`)
    await form.getByRole('button', { name: 'Save' }).click()
    await section.getByText('No fire').waitFor()
    expect((await setting.client.sites.get(site_id)).fire).toMatchObject({
      source_gadget_id: contact.id,
      source_state_id: 'open',
      release_gadget_ids: [],
    })
    const show = (state_id: string) =>
      setting.client.devices.simulate(device_id, { state: { gadget_id: contact.id, state_id } })
    await show('open')
    await section.getByText('It can be reset once the contact has cleared.').waitFor()
    await show('closed')
    await section.getByText('The contact cleared').waitFor()
    await section.getByRole('button', { name: /^Hold to reset/ }).focus()
    await page.keyboard.down('Enter')
    await section.getByText('No fire').waitFor()
    await page.keyboard.up('Enter')
    await page.close()
  })

  test('an evacuation replaces a lockdown once that is confirmed, also without holding a button', async () => {
    const { client } = setting
    const targets = { gadget_ids: [door_id] }
    await client.emergency_plans.create({ name: 'Everybody out', type: 'evacuation', targets })
    const first = await client.emergencies.create({ type: 'lockdown', targets })
    const page = await setting.open('/emergencies')
    await page.getByRole('button', { name: /^Start Everybody out/ }).click()
    // As a screen reader does.
    const activate = (name: string) => page.getByRole('button', { name }).dispatchEvent('click')
    await activate('Hold to start: Everybody out')
    await page.getByRole('status').filter({ hasText: 'Activate again to confirm' }).waitFor()
    await activate('Hold to start: Everybody out')
    await page.getByText('Another emergency is active').waitFor()
    await activate('Hold to replace it: Everybody out')
    await activate('Hold to replace it: Everybody out')
    await page.getByRole('heading', { name: 'Everybody out', level: 1 }).waitFor()
    expect(await client.emergencies.get(first.id)).toMatchObject({ is_active: false })
    expect((await client.gadgets.get(door_id)).mode).toMatchObject({ effective: 'evacuation' })
    const { data } = await client.emergencies.list({ is_active: true })
    for (const { id } of data) await client.emergencies.end(id, {})
    await page.close()
  })

  test('a lockdown says of each door what it does, also of one that it holds open', async () => {
    const { id } = await setting.client.emergencies.create({
      type: 'lockdown',
      targets: { site_ids: [site_id] },
      unlocked_gadget_ids: [door_id],
    })
    const page = await setting.open(`/emergencies/${id}`)
    const doors = page.getByRole('table', { name: 'Doors of the emergency' })
    const says = (name: string, words: string) =>
      doors.getByRole('row', { name }).getByText(words).filter({ visible: true }).waitFor()
    await says('Front door', 'Held open.')
    await says('Meeting room', 'Locked.')
    await says('Lamp', 'Not set up as a door.')
    const about = page.getByRole('region', { name: 'What it concerns' })
    await about.getByText('Stay open').waitFor()
    await about.getByText('Front door', { exact: true }).waitFor()
    await setting.client.emergencies.end(id, {})
    await page.close()
  })

  soak('a door that has not heard of it is named until it has, live', async () => {
    const { client } = setting
    const plan = await client.emergency_plans.create({
      name: 'Keep out',
      type: 'lockdown',
      targets: { gadget_ids: [door_id] },
    })
    await client.devices.simulate(device_id, { network: 'offline' })
    const page = await setting.open('/emergencies')
    await waitUntilLive(page)
    const { id } = await client.emergencies.create({ emergency_plan_id: plan.id, is_drill: true })
    const banner = bannerOf(page)
    await banner.getByText('Missing: Front door').waitFor()
    await banner.getByRole('link', { name: 'Keep out' }).click()
    const row = page.getByRole('table', { name: 'Doors of the emergency' }).getByRole('row').nth(1)
    await row.getByText('Offline', { exact: true }).waitFor()
    await client.devices.simulate(device_id, { network: 'online' })
    await row.getByText('Confirmed', { exact: true }).waitFor()
    await banner.getByText('The door has confirmed').waitFor()
    await client.emergencies.end(id, {})
    await banner.waitFor({ state: 'detached' })
    await row.getByText('Ended', { exact: true }).waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('every screen of modes passes axe in every look, also during a drill', within(180), async () => {
    const { client } = setting
    const group = (await client.member_groups.list()).data[0]
    const plan = await client.emergency_plans.create({
      name: 'Shut the perimeter',
      type: 'lockdown',
      targets: { site_ids: [site_id] },
      exempt_member_group_ids: [group?.id as string],
      unlocked_gadget_ids: [door_id],
    })
    const rule = await client.unlock_rules.create({
      name: 'Lobby',
      site_id,
      schedule_id,
      gadget_ids: [door_id],
      first_person: { member_group_ids: [group?.id as string], early_seconds: 1800, before: 'closed' },
    })
    await client.devices.simulate(device_id, { network: 'offline' })
    const { id } = await client.emergencies.create({ emergency_plan_id: plan.id, is_drill: true })
    const page = await setting.open('/')
    await page.getByText('3 of these not confirmed yet').waitFor()
    await page.close()
    await checkLooks(setting, '/', 'overview-drill')
    await checkLooks(setting, '/emergencies', 'emergencies')
    await checkLooks(setting, `/emergencies/plans/${plan.id}`, 'emergency-plan')
    await checkLooks(setting, `/emergencies/${id}`, 'emergency')
    await checkLooks(setting, `/gadgets/${door_id}`, 'gadget-drill')
    await checkLooks(setting, '/unlock-rules', 'unlock-rules')
    await checkLooks(setting, `/unlock-rules/${rule.id}`, 'unlock-rule')
    await client.emergencies.end(id, {})
  })
})
