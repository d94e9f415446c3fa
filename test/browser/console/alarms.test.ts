import { isSoak, type Receiver, receiver, soak, within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTellings } from '../../alarms/tellings.ts'
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
  walk,
  widthsFor,
} from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting
  let house: Awaited<ReturnType<typeof openTellings>>
  let ntfy: Receiver
  let page: Page

  beforeAll(async () => {
    setting = await openSetting(null, { width, delivery: true })
    // Behind the browser, so that hours can pass.
    setting.world.clock.advance(-10_000)
    ntfy = await receiver()
    house = await openTellings(setting.world, setting, ['Front door', 'Back door', 'Side door'])
    page = await setting.open('/members')
  })
  afterAll(async () => {
    await ntfy[Symbol.asyncDispose]()
    await setting[Symbol.asyncDispose]()
  })

  const bell = () => page.getByRole('link', { name: /open alarm/i }).filter({ visible: true })
  const open = () => page.getByRole('list', { name: 'Open alarms' })
  const undo = (notice: string) =>
    page.getByRole('alert').filter({ hasText: notice }).getByRole('button', { name: 'Undo' }).click()
  const states = async () => {
    const { data } = await setting.client.alarms.list({ sort: 'started_at:asc' })
    return data.map(({ state }) => state)
  }

  test('alarms come by themselves, and are taken by a key, one by one or together', async () => {
    await waitUntilLive(page)
    expect(await bell().getAttribute('aria-label')).toBe('No open alarms')
    await house.begin('door_held')
    await expect.poll(() => bell().getAttribute('aria-label')).toBe('3 open alarms')
    await bell().click()
    // All began at once. The last one is the newest, and the first in the list.
    const side = open().getByRole('link', { name: /Side door/ })
    await side.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('a')
    await side.waitFor({ state: 'detached' })
    await page.getByRole('list', { name: 'Acknowledged alarms' }).getByText('Side door').waitFor()
    // The focus has gone on, so that the next key takes the next one.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('alarm-target')
    expect((await states()).toSorted()).toEqual(['acknowledged', 'open', 'open'])
    await undo('Side door: acknowledged')
    await side.waitFor()

    await page.getByRole('checkbox', { name: 'Choose all' }).check()
    await page.getByRole('button', { name: 'Acknowledge 3' }).click()
    await page.getByText('No open alarms', { exact: true }).waitFor()
    await expect.poll(() => bell().getAttribute('aria-label')).toBe('No open alarms')
    expect(await states()).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    await house.end('door_held')
  })

  soak('what an evacuation explains is folded under it, and taken with it', async () => {
    const { client } = setting
    const { id } = await client.emergencies.create({
      type: 'evacuation',
      targets: { gadget_ids: house.doors },
    })
    const alarms = () => client.alarms.list({ type: 'emergency_started' }).then(({ data }) => data.length)
    await expect.poll(alarms).toBe(1)
    await house.begin('door_forced')
    await open()
      .getByRole('button', { name: /Explains 3 more/ })
      .click()
    const folded = page.getByRole('list', { name: /Explained by Emergency started/ })
    await folded.getByText('Side door').waitFor()
    await checkPage(page, `alarms-folded-${width}`)
    await open()
      .getByRole('button', { name: /^Acknowledge: Emergency started/ })
      .click()
    await page.getByText('4 alarms acknowledged').waitFor()
    await page.getByText('No open alarms', { exact: true }).waitFor()
    await client.emergencies.end(id, {})
    await house.end('door_forced')
    for (const alarm of (await client.alarms.list()).data) await client.alarms.close(alarm.id)
  })

  test('a target is proved by a code or tested at once, and says what became of the test', async () => {
    await walk(page, setting, '/alarms/rules')
    const add = () => page.getByRole('button', { name: 'New target' }).click()
    const form = page.getByRole('dialog')
    await add()
    await form.getByRole('textbox', { name: 'Email address' }).fill('guards@example.com')
    await form.getByRole('button', { name: 'Create target' }).click()
    const mail = () =>
      setting.world.server.context.mailer.outbox?.find(({ to }) => to === 'guards@example.com')
    await expect.poll(mail).toBeDefined()
    await form.getByText('A code is on its way').waitFor()
    const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(mail()?.text ?? '')?.[0] ?? ''
    await form.getByRole('textbox', { name: 'Code' }).fill('0000-0000')
    await form.getByRole('button', { name: 'Prove' }).click()
    await form.getByText(/Is wrong, or older than 10 minutes/).waitFor()
    await form.getByRole('textbox', { name: 'Code' }).fill(code)
    await form.getByRole('button', { name: 'Prove' }).click()
    await page.getByRole('button', { name: 'Send a test to guards@example.com' }).waitFor()

    await add()
    await form.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'ntfy' }).click()
    await form.getByRole('textbox', { name: 'Server' }).fill(ntfy.url)
    await form.getByRole('textbox', { name: 'Topic' }).fill('doors')
    await checkPage(page, `target-form-${width}`)
    await form.getByRole('button', { name: 'Create target' }).click()
    const send = page.getByRole('button', { name: 'Send a test to doors' })
    await send.click()
    await page.getByText('The ntfy server has taken the test.').waitFor()
    ntfy.respond = 403
    await send.click()
    await page.getByText('The test did not arrive: the server answered 403.').waitFor()
    ntfy.respond = 200
  })

  test('a rule is written with a sentence that follows, and deleted with an undo', async () => {
    await page.getByRole('button', { name: 'New rule' }).click()
    const form = page.getByRole('dialog')
    const sentence = form.getByRole('status', { name: 'What the rule does' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Doors')
    const pick = async (label: string, option: string) => {
      await form.getByRole('combobox', { name: label }).fill(option)
      await page.getByRole('option', { name: option }).click()
      await page.keyboard.press('Escape')
    }
    await pick('Alarms', 'Door held open')
    await pick('Who is told', 'Olivia Owner')
    await pick('Who is told', 'ntfy doors')
    await pick('Sites', 'House')
    await form.getByRole('combobox', { name: 'Once it has held for' }).click()
    await page.getByRole('option', { name: '1 minute' }).click()
    await form.getByRole('combobox', { name: 'Again until acknowledged' }).click()
    await page.getByRole('option', { name: '10 minutes' }).click()
    const words =
      'Tell Olivia Owner and ntfy doors when a door at House is held open for a minute, again every 10 minutes.'
    await expect.poll(() => sentence.innerText()).toBe(words)
    await checkPage(page, `rule-form-${width}`)
    await form.getByRole('button', { name: 'Create rule' }).click()
    await page.getByText(words).waitFor()
    const deleteRule = async () => {
      await page.getByRole('button', { name: 'Delete Doors' }).click()
      await page.getByText('It will no longer tell Olivia Owner, ntfy doors of alarms.').waitFor()
      await form.getByRole('button', { name: 'Delete' }).click()
    }
    await deleteRule()
    await page.getByText(words).waitFor({ state: 'detached' })
    await undo('“Doors” deleted')
    await page.getByText(words).waitFor()
    await deleteRule()
    await page.getByText(words).waitFor({ state: 'detached' })
    await page.getByText('Deleted', { exact: true }).click()
    await page.getByText('No deleted targets').waitFor()
    await page.getByRole('button', { name: 'Restore Doors' }).click()
    await page.getByText('No deleted rules').waitFor()
    await page.getByText('Everything', { exact: true }).click()
    await page.getByText(words).waitFor()
    const { data } = await setting.client.alarm_rules.list({ q: 'Doors' })
    expect(data).toMatchObject([
      {
        types: ['door_held'],
        targets: { site_ids: [house.site_id] },
        delay_seconds: 60,
        repeat_seconds: 600,
      },
    ])
  })

  test('the page of an alarm tells what to do, who was told, and what became of it', async () => {
    const { client } = setting
    await client.sites.edit(house.site_id, { alarm_runbook: 'Call the guard on duty.' })
    setting.world.clock.advance(3600)
    await house.begin('door_held', house.doors.slice(0, 1))
    await house.after(61)
    await house.after(11)
    const [alarm] = (await client.alarms.list({ state: 'open' })).data
    await walk(page, setting, `/alarms/${alarm?.id}`)
    await page.getByText('Call the guard on duty.').waitFor()
    const history = page.getByRole('list', { name: 'What happened to it' })
    await history.getByText('by ntfy, accepted').waitFor()
    await page.getByRole('region', { name: 'At the door' }).getByText('Door held open').waitFor()
    setting.world.clock.set(new Date().toISOString())
    await page.getByRole('button', { name: 'Snooze…' }).click()
    await page.getByRole('radio', { name: '15 minutes' }).check()
    await checkPage(page, `snooze-${width}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click()
    await history.getByText('snoozed', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Note' }).fill('A delivery.')
    await page.getByRole('button', { name: 'Save note' }).click()
    await page.getByRole('button', { name: 'Reopen' }).click()
    const acknowledged = history.getByText('acknowledged', { exact: true })
    const before = await acknowledged.count()
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await expect.poll(() => acknowledged.count()).toBe(before + 1)
    await page.getByRole('button', { name: 'Reopen' }).click()
    // A notice stays while the mouse is over it, and on a phone it covers the buttons of the page.
    await page.mouse.move(1, 1)
    const close = page.getByRole('button', { name: 'Close', exact: true })
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor()
    // The buttons change while one of them is being pressed.
    await close.hover()
    await page.mouse.down()
    await client.alarms.acknowledge(alarm?.id as string)
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await page.mouse.up()
    await page.getByText('Closed', { exact: true }).waitFor()
    expect(await client.alarms.get(alarm?.id as string)).toMatchObject({
      state: 'closed',
      note: 'A delivery.',
    })
    expect(faultsOf(page)).toEqual([])
  })

  soak('a device and a site are put into maintenance, which is shown and ended', async () => {
    const places = [
      [`/sites/${house.site_id}`, 'sites'],
      [`/devices/${house.device_id}`, 'devices'],
    ] as const
    for (const [path, plural] of isSoak ? places : places.slice(0, 1)) {
      await walk(page, setting, path)
      // By keyboard: notices of what was done before may cover the buttons.
      await page.getByRole('button', { name: 'Maintenance…' }).press('Enter')
      await page.mouse.move(1, 1)
      await page.getByRole('radio', { name: '4 hours' }).check()
      await page.getByRole('dialog').getByRole('button', { name: 'Begin' }).press('Enter')
      await page.getByText(/In maintenance until/).waitFor()
      const held = await setting.client[plural].get(path.split('/').at(-1) as string)
      expect(held.maintenance_until).not.toBeNull()
      await page.getByRole('button', { name: 'End maintenance' }).press('Enter')
      await page.getByText(/In maintenance until/).waitFor({ state: 'detached' })
    }
  })

  soak('an organization that never had a rule is offered one, until it says no', async () => {
    const { db } = setting.world.server.context
    await db.query('DELETE FROM alarm_rules WHERE organization_id = $1', [setting.organization_id])
    await walk(page, setting, '/')
    await page.getByRole('button', { name: 'Create this rule' }).click()
    const rules = () => setting.client.alarm_rules.list().then(({ data }) => data.map(({ name }) => name))
    await expect.poll(rules).toEqual(['What cannot wait'])
    await db.query('DELETE FROM alarm_rules WHERE organization_id = $1', [setting.organization_id])
    await walk(page, setting, '/alarms/rules')
    await page.getByRole('button', { name: 'No, thanks' }).click()
    await page.reload()
    await page.getByText('No rules yet').waitFor()
    expect(await page.getByRole('button', { name: 'Create this rule' }).count()).toBe(0)
  })

  test('a viewer sees alarms and rules, and can change nothing', async () => {
    await house.begin('door_tampered', house.doors.slice(0, 1))
    await setting.client.alarm_rules.create({
      name: 'Tampering',
      types: ['door_tampered'],
      notify: [{ role: 'owner' }],
    })
    // Its alarm is at no site.
    const targets = { gadget_ids: house.doors.slice(0, 1) }
    const emergency = await setting.client.emergencies.create({ type: 'lockdown', targets })
    const begun = async () =>
      (await setting.client.alarms.list({ type: 'emergency_started', state: 'open' })).data
    await expect.poll(begun).toHaveLength(1)
    await setting.client.emergencies.end(emergency.id, {})
    await setting.client.alarms.close((await begun())[0]?.id as string)
    const viewer = await signUp(setting.world, 'viewer@example.com')
    const path = `/account/organizations/${setting.organization_id}/invitations`
    await setting.visitor.account('POST', path, { email: 'viewer@example.com', role: 'viewer' })
    const { body } = await viewer.account<{ data: { id: string }[] }>('GET', '/account/invitations')
    await viewer.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
    const context = await signedIn(setting.browser, viewer, { timezoneId: 'America/New_York' })
    const seen = await openPage(context, `${setting.url}/o/${setting.organization_id}/alarms`, width)
    const link = seen.getByRole('list', { name: 'Open alarms' }).getByRole('link', { name: /Front door/ })
    await seen
      .getByRole('table', { name: 'Closed alarms' })
      .getByText(/, \d\d:\d\d (CES?T|GMT\+\d)$/)
      .filter({ visible: true })
      .first()
      .waitFor()
    await seen.getByText('Times without a zone: America/New York time').waitFor()
    await link.focus()
    await seen.keyboard.press('a')
    await link.click()
    await seen.getByRole('heading', { name: 'Reader or box tampered with' }).waitFor()
    await seen
      .getByRole('region', { name: 'About' })
      .getByText(/:\d\d \(Europe\/Madrid time\)$/)
      .first()
      .waitFor()
    await seen
      .getByTitle(/:\d\d \(Europe\/Madrid time\)$/)
      .first()
      .waitFor()
    await walk(seen, setting, '/alarms/rules')
    await seen.getByText('Tell all owners when a door is tampered with.').waitFor()
    const forbidden = /Acknowledge|Snooze|Close|Edit|Delete|New/
    expect(await seen.getByRole('main').getByRole('button', { name: forbidden }).count()).toBe(0)
    expect((await states()).filter(state => state === 'open')).toHaveLength(1)
    await context.close()
  })

  test('every screen of alarms passes axe in every look', within(120), async () => {
    await page.close()
    const [alarm] = (await setting.client.alarms.list({ state: 'open' })).data
    await checkLooks(setting, '/alarms', 'alarms')
    await checkLooks(setting, `/alarms/${alarm?.id}`, 'alarm')
    await checkLooks(setting, '/alarms/rules', 'alarm-rules')
  })
})
