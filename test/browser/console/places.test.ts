import { doorTemplates } from '@gatehouse-access/api'
import { soak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, walk, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  async function makeSite(name: string) {
    const site = await setting.client.sites.create({ name, timezone: 'Europe/Lisbon' })
    const device = await setting.client.devices.create({
      name: `Controller of ${name}`,
      site_id: site.id,
      product_id: 'controller',
    })
    const gadget = await setting.client.gadgets.create({
      name: `Door of ${name}`,
      device_id: device.id,
      states: [
        { id: 'closed', name: 'Closed' },
        { id: 'open', name: 'Wide open' },
      ],
      signals: [{ id: 'bell', name: 'Bell' }],
    })
    return { site, device, gadget }
  }

  function idIn(url: string): string {
    return new URL(url).pathname.split('/').at(-1) as string
  }

  test('lists and details pass axe in every look', within(120), async () => {
    const { site, device, gadget } = await makeSite('Looks')
    const trigger = await setting.client.gadget_triggers.create({
      source_type: 'state',
      source_gadget_id: gadget.id,
      source_state_id: 'open',
      target_gadget_id: gadget.id,
      target_action_id: 'open',
    })
    const rules = [{ code: '', gadget_id: gadget.id, action_id: 'open' }]
    await setting.client.devices.edit(device.id, { input_rules: rules })
    const pages = { sites: site.id, devices: device.id, gadgets: gadget.id, triggers: trigger.id }
    for (const [path, id] of Object.entries(pages)) {
      await checkLooks(setting, `/${path}`, path)
      await checkLooks(setting, `/${path}/${id}`, path.slice(0, -1))
    }
  })

  test('a site is made where one stands, with its zone, picture and radius', async () => {
    const page = await setting.open('/sites?new')
    await page.context().grantPermissions(['geolocation'])
    await page.context().setGeolocation({ latitude: 38.7223, longitude: -9.1393 })
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Lisbon')
    await form.getByRole('combobox', { name: 'Time zone' }).click()
    await form.getByRole('combobox', { name: 'Time zone' }).fill('Lisbon')
    await page.getByRole('option', { name: /Europe\/Lisbon/ }).click()
    await form.getByText(/It is \w{3} \d\d:\d\d there now/).waitFor()
    await form.getByRole('textbox', { name: 'Picture for members' }).fill('ftp://pictures.example/map.png')
    await form.getByRole('button', { name: 'Use my location' }).click()
    await expect.poll(() => form.getByRole('textbox', { name: 'Latitude' }).inputValue()).toBe('38.7223')
    await form.getByRole('textbox', { name: 'Radius (m)' }).fill('250')
    await form.getByRole('img', { name: 'Radius of 250 m around 38.7223, -9.1393' }).waitFor()
    await checkPage(page, `site-form-${width}`)
    await form.getByRole('button', { name: 'Create site' }).click()
    await form.getByText(/http or https URL/).waitFor()
    await form.getByRole('textbox', { name: 'Picture for members' }).fill('https://pictures.example/map.png')
    await form.getByRole('button', { name: 'Create site' }).click()
    await page.getByRole('heading', { name: 'Lisbon', exact: true }).waitFor()
    await expect
      .poll(() => setting.client.sites.get(idIn(page.url())))
      .toMatchObject({
        timezone: 'Europe/Lisbon',
        geo: { location: { lat: 38.7223, lng: -9.1393 }, radius: 250 },
        map: { image_url: 'https://pictures.example/map.png' },
      })
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('what guests read at their check-in is written at the site, and taken away', async () => {
    const { client } = setting
    const { site } = await makeSite('Obidos')
    const page = await setting.open(`/sites/${site.id}?edit`)
    const form = page.getByRole('dialog')
    const text = 'The desk closes at 22:00.\nLater, ring at the side door.'
    await form.getByRole('textbox', { name: 'Check-in' }).fill(text)
    await checkPage(page, `site-check-in-${width}`)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await client.sites.get(site.id)).check_in).toBe(text)
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await form.getByRole('textbox', { name: 'Check-in' }).inputValue()).toBe(text)
    await form.getByRole('textbox', { name: 'Check-in' }).fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await client.sites.get(site.id)).check_in).toBeNull()
    await page.close()
  })

  test('a site in use is deleted only after the console said who loses what', async () => {
    const { client } = setting
    const { site, device, gadget } = await makeSite('Viseu')
    const locked = await client.gadgets.create({
      name: 'Gate of Viseu',
      device_id: device.id,
      ...doorTemplates.holdable,
    })
    const group = await client.member_groups.create({
      name: 'Guards of Viseu',
      permissions: [{ site_id: site.id }],
    })
    const member = await client.members.create({ name: 'Vera Viseu' })
    await client.member_group_associations.create(member.id, { member_group_id: group.id })
    await client.emergency_plans.create({
      name: 'Lock Viseu',
      type: 'lockdown',
      targets: { site_ids: [site.id] },
      trigger: { gadget_id: gadget.id, signal_id: 'bell' },
    })
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_800 }] }))
    await client.unlock_rules.create({
      name: 'Open Viseu',
      site_id: site.id,
      schedule_id: (await client.schedules.create({ name: 'Days of Viseu', weekdays })).id,
      gadget_ids: [locked.id],
    })
    const page = await setting.open(`/sites/${site.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Its doors will no longer be part of the emergency plan “Lock Viseu”.').waitFor()
    await dialog
      // The staff of the template may open every door.
      .getByText('2 members in 2 groups may lose access to 2 doors, unless another rule gives it.')
      .waitFor()
    await dialog.getByText('Its doors will no longer start the emergency plan “Lock Viseu”.').waitFor()
    await dialog.getByText('Controller of Viseu').waitFor()
    await checkPage(page, `site-losses-${width}`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await client.sites.get(site.id)).is_deleted).toBe(false)

    await walk(page, setting, `/devices/${device.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('Its doors will no longer be unlocked by the rule “Open Viseu”.').waitFor()
    await dialog.getByText('Its doors will no longer start the emergency plan “Lock Viseu”.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await client.devices.get(device.id)).is_deleted).toBe(false)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('a site goes with what is inside, after it is shown, and an undo brings all of it back', async () => {
    const { site, device, gadget } = await makeSite('Porto')
    const page = await setting.open(`/sites/${site.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Controller of Porto').waitFor()
    await dialog.getByText('Door of Porto').waitFor()
    await checkPage(page, `site-delete-${width}`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(async () => (await setting.client.sites.get(site.id)).is_deleted).toBe(false)
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByRole('heading', { name: 'Sites' }).waitFor()
    await expect.poll(async () => (await setting.client.gadgets.get(gadget.id)).is_deleted).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('“Porto” restored').waitFor()
    await expect.poll(async () => (await setting.client.devices.get(device.id)).is_deleted).toBe(false)
    await expect.poll(async () => (await setting.client.gadgets.get(gadget.id)).is_deleted).toBe(false)
    await setting.client.sites.delete(site.id, { cascade: true })
    await walk(page, setting, '/sites')
    await page.getByText('Deleted', { exact: true }).click()
    await page.getByRole('link', { name: 'Porto' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(async () => (await setting.client.gadgets.get(gadget.id)).is_deleted).toBe(false)
    await page.close()
  })

  test('a keypad that opens a door of another device is deleted only after the console named the door', async () => {
    const { site, gadget } = await makeSite('Faro')
    const keypad = await setting.client.devices.create({
      name: 'Keypad of Faro',
      site_id: site.id,
      product_id: 'keypad',
    })
    const rules = [{ code: '', gadget_id: gadget.id, action_id: 'open' }]
    await setting.client.devices.edit(keypad.id, { input_rules: rules })
    const page = await setting.open(`/devices/${keypad.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Door of Faro can no longer be opened by PIN or card at Keypad of Faro.').waitFor()
    expect((await setting.client.devices.get(keypad.id)).is_deleted).toBe(false)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
    expect((await setting.client.devices.get(keypad.id)).is_deleted).toBe(true)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('a deleted device comes back with its doors: at once, and later from among the deleted', async () => {
    const { device, gadget } = await makeSite('Lagos')
    const { client } = setting
    const areDeleted = async () => [
      (await client.devices.get(device.id)).is_deleted,
      (await client.gadgets.get(gadget.id)).is_deleted,
    ]
    const page = await setting.open(`/devices/${device.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Door of Lagos').waitFor()
    await checkPage(page, `device-delete-${width}`)
    await dialog.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
    expect(await areDeleted()).toEqual([true, true])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('“Controller of Lagos” restored').waitFor()
    expect(await areDeleted()).toEqual([false, false])

    await client.devices.delete(device.id, { cascade: true })
    await page.getByText('Deleted', { exact: true }).click()
    await page.getByRole('link', { name: 'Controller of Lagos' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Delete' }).waitFor()
    expect(await areDeleted()).toEqual([false, false])
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('a device is claimed by its label, gets a secret that is shown once, and loses it', async () => {
    const site = (await setting.client.sites.list()).data[0]
    const page = await setting.open(`/devices?new&site=${site?.id}`)
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Cellar controller')
    await form.getByRole('combobox', { name: 'Model' }).click()
    await page.getByRole('option', { name: 'Door controller up to 8 doors, reads PINs and cards' }).click()
    await form.getByRole('textbox', { name: 'Serial number' }).fill('A1B2')
    await form.getByRole('button', { name: 'Add device' }).click()
    await form.getByText(/a hardware id/).waitFor()
    await form.getByRole('textbox', { name: 'Serial number' }).fill('hw_A1B2-C3D4')
    await form.getByRole('button', { name: 'Add device' }).click()
    await page.getByRole('heading', { name: 'Cellar controller' }).waitFor()
    await page.getByText('Offline. The device keeps working with what it last received').waitFor()
    await page.getByRole('button', { name: 'Connection secret' }).click()
    await form.getByRole('button', { name: 'Issue new secret' }).click()
    const secret = await form.getByLabel('New secret').textContent()
    expect(secret?.length).toBeGreaterThan(20)
    await checkPage(page, `device-secret-${width}`)
    await form.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Connection secret' }).click()
    await form.getByRole('button', { name: 'Revoke' }).waitFor()
    await expect.poll(() => page.getByText(secret as string).count()).toBe(0)
    await form.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('can no longer connect').waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('a device is renamed and moved; it tells what of a member it does not know yet', async () => {
    const { client } = setting
    const { site } = await makeSite('Tavira')
    const device = await client.devices.create({
      name: 'Old name',
      site_id: (await makeSite('Sines')).site.id,
      product_id: 'controller',
      hardware_id: `hw_MOVED-${width}`,
    })
    const gadget = await client.gadgets.create({ name: 'Gate', device_id: device.id })
    const group = await client.member_groups.create({
      name: 'Gate keepers',
      permissions: [{ gadget_id: gadget.id }],
    })
    const member = await client.members.create({ name: 'Gil Gate' })
    await client.member_group_associations.create(member.id, { member_group_id: group.id })
    await client.member_pins.create(member.id, {})
    const page = await setting.open(`/devices/${device.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('New name')
    await form.getByRole('combobox', { name: 'Site' }).fill('Tavira')
    await page.getByRole('option', { name: 'Tavira' }).click()
    await checkPage(page, `device-edit-${width}`)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'New name' }).waitFor()
    await page.getByRole('link', { name: 'Tavira' }).waitFor()
    expect(await client.devices.get(device.id)).toMatchObject({ site_id: site.id, name: 'New name' })

    const sync = page.getByRole('region', { name: 'Sync' })
    await sync.getByRole('combobox', { name: 'Has this member’s access reached the device?' }).fill('Gil')
    await page.getByRole('option', { name: 'Gil Gate' }).click()
    await sync.getByText(/PIN: pending, never confirmed/).waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('input rules say what is wrong while they are typed, as the service would', async () => {
    const { device, gadget } = await makeSite('Faro')
    const rules = [
      { code: '1', gadget_id: gadget.id, action_id: 'open' },
      { code: '2', gadget_id: gadget.id, action_id: 'open' },
    ]
    await setting.client.devices.edit(device.id, { input_rules: rules })
    const page = await setting.open(`/devices/${device.id}`)
    const codes = page.getByRole('textbox', { name: 'Code' })
    await codes.nth(1).fill('12')
    await page.getByText("code '1' is a prefix of code '12'").waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save rules' }).isDisabled()).toBe(true)
    await codes.nth(1).fill('')
    await page
      .getByText("code '1' must start with * or # because a default rule (empty code) exists")
      .waitFor()
    await checkPage(page, `input-rules-${width}`)
    await codes.nth(0).fill('*1')
    await page.getByRole('button', { name: 'Save rules' }).click()
    await expect
      .poll(async () => (await setting.client.devices.get(device.id)).input_rules.map(({ code }) => code))
      .toEqual(['*1', ''])
    await page.close()
  })

  soak('a gadget is made within the room of its device, and its parts are edited', async () => {
    const { site, device } = await makeSite('Braga')
    const gateway = await setting.client.devices.create({
      name: 'Braga gateway',
      site_id: site.id,
      product_id: 'gateway',
    })
    const page = await setting.open(`/gadgets?new&device=${gateway.id}`)
    const form = page.getByRole('dialog')
    await form.getByText('This device controls nothing itself').waitFor()
    await page.goto(`${setting.url}/o/${setting.organization_id}/gadgets?new&device=${device.id}`)
    await form.getByText('This device controls 1 of up to 8 doors.').waitFor()
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Braga blinds')
    await form.getByRole('button', { name: 'Add action' }).click()
    await form.getByRole('textbox', { name: 'Name of action 2' }).fill('Roll Down')
    await expect
      .poll(() => form.getByRole('textbox', { name: 'ID of action 2' }).inputValue())
      .toBe('roll_down')
    await form.getByRole('textbox', { name: 'ID of action 2' }).fill('open')
    await form.getByText('“open” is already used').waitFor()
    await form.getByRole('textbox', { name: 'ID of action 2' }).fill('down')
    await form.getByRole('button', { name: 'Add signal' }).click()
    await form.getByRole('textbox', { name: 'Name of signal 1' }).fill('Wind')
    await checkPage(page, `gadget-form-${width}`)
    await form.getByRole('button', { name: 'Add door' }).click()
    await page.getByRole('heading', { name: 'Braga blinds' }).waitFor()
    await expect
      .poll(() => setting.client.gadgets.get(idIn(page.url())))
      .toMatchObject({
        actions: [
          { id: 'open', name: 'Open' },
          { id: 'down', name: 'Roll Down' },
        ],
        signals: [{ id: 'wind', name: 'Wind' }],
      })
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('a door with a magnetic lock is made from its template, told in words, and changed', async () => {
    const { device } = await makeSite('Faro')
    const page = await setting.open(`/gadgets?new&device=${device.id}`)
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Faro gate')
    await form.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Magnetic lock with an exit button' }).click()
    await form.getByRole('button', { name: 'Add door' }).click()
    const facts = page.getByRole('region', { name: 'Lock and exit' })
    await facts.getByText('Only by a signal: the controller releases it').waitFor()
    await facts.getByText('Keep unlocked, until Lock').waitFor()
    await facts.getByRole('button', { name: 'Change' }).click()
    await form.getByRole('textbox', { name: 'May stand open for (s)' }).fill('')
    await checkPage(page, `door-form-${width}`)
    await form.getByRole('button', { name: 'Save' }).click()
    await facts.getByText('Any time').waitFor()
    await expect
      .poll(() => setting.client.gadgets.get(idIn(page.url())))
      .toMatchObject({ door: { egress: 'electric', exit_signal_id: 'exit', held_open_seconds: null } })
    await checkPage(page, `door-${width}`)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('triggers of the three kinds are made and told in words', async () => {
    const { gadget } = await makeSite('Evora')
    const page = await setting.open('/triggers?new')
    const form = page.getByRole('dialog')
    const choose = async (field: string, text: string) => {
      await form.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: text, exact: true }).click()
    }
    const target = async () => {
      await form.getByRole('combobox', { name: 'Then run on' }).fill('Evora')
      await page.getByRole('option', { name: 'Door of Evora' }).click()
      await choose('Action', 'Open')
      await form.getByRole('button', { name: 'Create trigger' }).click()
    }
    const source = async () => {
      await form.getByRole('combobox', { name: 'Door' }).fill('Evora')
      await page.getByRole('option', { name: 'Door of Evora' }).click()
    }
    const rule = page.getByRole('region', { name: 'Rule' })
    const again = () => page.goto(`${setting.url}/o/${setting.organization_id}/triggers?new`)
    await source()
    await choose('New state', 'Wide open')
    await checkPage(page, `trigger-form-${width}`)
    await target()
    await rule.waitFor()
    await expect
      .poll(() => rule.textContent())
      .toContain('When Door of Evora becomes “Wide open”, run “Open” on Door of Evora')
    await again()
    await form.getByText('Signal', { exact: true }).click()
    await source()
    await choose('Signal', 'Bell')
    await target()
    await rule.waitFor()
    await expect.poll(() => rule.textContent()).toContain('When Door of Evora sends “Bell”, run')
    await again()
    await form.getByText('Schedule', { exact: true }).click()
    await choose('Schedule', 'Cleaning hours')
    await choose('Event', 'A scheduled time ends')
    await target()
    await rule.waitFor()
    await expect.poll(() => rule.textContent()).toContain('When Cleaning hours ends, run')
    const id = idIn(page.url())
    await expect
      .poll(() => setting.client.gadget_triggers.get(id))
      .toMatchObject({
        source_type: 'schedule',
        source_schedule_event: 'exit',
        target_gadget_id: gadget.id,
      })
    await page.getByRole('button', { name: 'Delete' }).click()
    await form.getByText('Cleaning hours will no longer run').waitFor()
    await form.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await setting.client.gadget_triggers.get(id)).is_deleted).toBe(false)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })
})
