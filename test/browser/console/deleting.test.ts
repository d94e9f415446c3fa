import { doorTemplates } from '@gatehouse-access/api'
import { within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, faultsOf, openSetting, type Setting, walk, widthsFor } from './setting.ts'

interface Used {
  readonly path: string
  readonly id: string
  /** As the list names it. */
  readonly link: string | RegExp
  /** What the console says would be lost. */
  readonly lost: readonly string[]
  readonly read: () => Promise<{ readonly is_deleted: boolean }>
}

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting(null, { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  const day = { ranges: [{ start: 28_800, end: 64_800 }] }
  const weekdays = Array.from({ length: 7 }, () => day)
  const access = '1 member in 1 group may lose access to 1 door, unless another rule gives it.'

  /** A site where each object is used by others. */
  async function makeHouse() {
    const { client } = setting
    const calendar = await client.calendars.create({ name: 'Fairs' })
    await client.calendar_days.create(calendar.id, { kind: 'fair', starts_on: '2030-05-01' })
    const special_days = [{ kind: 'fair', ranges: [] }]
    const schedule = await client.schedules.create({ name: 'Day shift', weekdays, special_days })
    await client.schedules.create({
      name: 'Night shift',
      weekdays,
      special_days: [{ kind: 'strike', ranges: [] }],
    })
    const timezone = 'Europe/Madrid'
    const site = await client.sites.create({ name: 'Annex', timezone, calendar_ids: [calendar.id] })
    const { id: device_id } = await client.devices.create({
      name: 'Controller',
      site_id: site.id,
      product_id: 'controller',
    })
    const tag = await client.tags.create({ name: 'Outer' })
    const makeDoor = (name: string, tag_ids: string[]) =>
      client.gadgets.create({ name, device_id, tag_ids, ...doorTemplates.holdable })
    const gate = await makeDoor('Gate', [])
    const lobby = await makeDoor('Lobby', [tag.id])
    const member = await client.members.create({ name: 'Uma User' })
    const makeGroup = async (name: string, rule: object) => {
      const group = await client.member_groups.create({ name, permissions: [rule] })
      await client.member_group_associations.create(member.id, { member_group_id: group.id })
      return group
    }
    const group = await makeGroup('Guards', { gadget_id: gate.id, schedule_id: schedule.id })
    await makeGroup('Users', { tag_id: tag.id })
    await client.devices.edit(device_id, {
      input_rules: [{ code: '', gadget_id: gate.id, action_id: 'open' }],
    })
    const source_state_id = gate.states.at(-1)?.id ?? ''
    await client.sites.edit(site.id, { fire: { source_gadget_id: gate.id, source_state_id } })
    const card = await client.cards.create({ name: 'Blue card', uid: '04C0C0C1' })
    await client.member_cards.create(member.id, { card_id: card.id })
    await client.member_pins.create(member.id, {})
    const ruleOf = { site_id: site.id, schedule_id: schedule.id }
    const rule = await client.unlock_rules.create({
      ...ruleOf,
      name: 'Open house',
      gadget_ids: [gate.id, lobby.id],
      last_person_signal: { gadget_id: gate.id, signal_id: 'exit' },
    })
    await client.unlock_rules.create({
      ...ruleOf,
      name: 'Open gate',
      gadget_ids: [gate.id],
      first_person: { member_group_ids: [group.id], early_seconds: 0, before: 'controlled' },
    })
    const trigger = await client.gadget_triggers.create({
      source_type: 'schedule',
      source_schedule_id: schedule.id,
      source_schedule_event: 'exit',
      target_gadget_id: lobby.id,
      target_action_id: 'secure',
    })
    const panel = await client.gadgets.create({
      name: 'Panel',
      device_id,
      actions: [
        { id: 'start', name: 'Start' },
        { id: 'end', name: 'End' },
      ],
    })
    const plan = await client.emergency_plans.create({
      name: 'Lock the annex',
      type: 'lockdown',
      targets: { site_ids: [site.id] },
      exempt_member_group_ids: [group.id],
      unlocked_gadget_ids: [gate.id],
      trigger: { gadget_id: gate.id, signal_id: 'exit' },
      control_gadget_id: panel.id,
    })
    return { site, calendar, schedule, tag, gate, member, group, card, rule, trigger, plan }
  }

  async function usedIn({
    calendar,
    schedule,
    tag,
    gate,
    member,
    group,
    card,
    rule,
    trigger,
    plan,
  }: Awaited<ReturnType<typeof makeHouse>>): Promise<readonly Used[]> {
    const { client } = setting
    return [
      {
        path: '/calendars',
        id: calendar.id,
        link: 'Fairs',
        lost: ['Its days will be like any other at Annex.', '1 schedule will no longer react to its days.'],
        read: () => client.calendars.get(calendar.id),
      },
      {
        path: '/schedules',
        id: schedule.id,
        link: 'Day shift',
        lost: [access, '2 unlock rules will stop working.', '1 trigger will stop working.'],
        read: () => client.schedules.get(schedule.id),
      },
      {
        path: '/gadgets',
        id: gate.id,
        link: 'Gate',
        lost: [
          access,
          'It will no longer be unlocked by the rules “Open gate”, “Open house”.',
          'It will no longer end the rule “Open house” with the last person.',
          'It will no longer be part of the emergency plan “Lock the annex”.',
          'It will no longer start the emergency plan “Lock the annex”.',
          'The fire alarm of Annex will no longer be noticed.',
          'It can no longer be opened by PIN or card at Controller.',
        ],
        read: () => client.gadgets.get(gate.id),
      },
      {
        path: '/groups',
        id: group.id,
        link: 'Guards',
        lost: [
          access,
          'Its members will no longer be exempt from the emergency plan “Lock the annex”.',
          'Its members will no longer count as the first person for the rule “Open gate”.',
        ],
        read: () => client.member_groups.get(group.id),
      },
      {
        path: '/tags',
        id: tag.id,
        link: 'Outer',
        lost: [access],
        read: () => client.tags.get(tag.id),
      },
      {
        path: '/members',
        id: member.id,
        link: 'Uma User',
        lost: [
          'This member can no longer open 2 doors.',
          '1 PIN will stop working.',
          '1 card will stop working.',
        ],
        read: () => client.members.get(member.id),
      },
      {
        path: '/cards',
        id: card.id,
        link: 'Blue card',
        lost: ['Uma User can no longer open doors with it.'],
        read: () => client.cards.get(card.id),
      },
      {
        path: '/unlock-rules',
        id: rule.id,
        link: 'Open house',
        lost: ['It will no longer unlock Gate, Lobby.'],
        read: () => client.unlock_rules.get(rule.id),
      },
      {
        path: '/triggers',
        id: trigger.id,
        link: 'Day shift ends',
        lost: ['Day shift will no longer run Lock on Lobby.'],
        read: () => client.gadget_triggers.get(trigger.id),
      },
      {
        path: '/emergencies/plans',
        id: plan.id,
        link: 'Details of Lock the annex',
        lost: [
          'It can no longer be started for Gate, Lobby.',
          'Exit button of Gate will no longer start it.',
          'It can no longer be started and ended at Panel.',
        ],
        read: () => client.emergency_plans.get(plan.id),
      },
    ]
  }

  /** A calendar that no site observes, a member without access, and a rule that is off. */
  async function makeUnused({ site, schedule, gate }: Awaited<ReturnType<typeof makeHouse>>) {
    const { client } = setting
    const calendar = await client.calendars.create({ name: 'Strikes' })
    // It has a PIN that opens no door.
    const member = await client.members.create({ name: 'Nora Nowhere' })
    await client.member_pins.create(member.id, {})
    const rule = await client.unlock_rules.create({
      name: 'Never open',
      site_id: site.id,
      schedule_id: schedule.id,
      gadget_ids: [gate.id],
      is_enabled: false,
    })
    return [
      { path: `/calendars/${calendar.id}`, read: () => client.calendars.get(calendar.id) },
      { path: `/members/${member.id}`, read: () => client.members.get(member.id) },
      { path: `/unlock-rules/${rule.id}`, read: () => client.unlock_rules.get(rule.id) },
    ]
  }

  const deleteButton = (page: Page) => page.getByRole('button', { name: /^Delete( tag)?$/ })
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Delete what is in use?' })

  async function checkLosses(page: Page, { path, lost, read }: Used): Promise<void> {
    const dialog = dialogOf(page)
    await deleteButton(page).click()
    await dialog.waitFor()
    expect([path, await dialog.getByRole('listitem').allTextContents()]).toEqual([path, lost])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect([path, (await read()).is_deleted]).toEqual([path, false])
  }

  async function remove(page: Page, { path, read }: Used): Promise<void> {
    await deleteButton(page).click()
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect([path, (await read()).is_deleted]).toEqual([path, true])
  }

  /** Goes to the page from its list, because nobody knows its address. */
  async function restore(page: Page, { path, link, read }: Used): Promise<void> {
    // Members and cards have filters instead of a choice.
    if (path === '/members' || path === '/cards') await walk(page, setting, `${path}?show=deleted`)
    else await page.getByText('Deleted', { exact: true }).click()
    await page.getByRole('link', { name: link }).click()
    const button = page.getByRole('button', { name: 'Restore', exact: true })
    await button.waitFor()
    // A deleted door cannot be opened.
    expect([path, await page.getByRole('button', { name: /^Open: / }).count()]).toEqual([path, 0])
    await button.click()
    await deleteButton(page).waitFor()
    // Is taken away, and does not just end after its time.
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count(), { timeout: 2000 }).toBe(0)
    expect([path, (await read()).is_deleted]).toEqual([path, false])
  }

  test(
    'what is in use is deleted after the console said what is lost, is found among the deleted, and comes back',
    within(90),
    async () => {
      const house = await makeHouse()
      const all = await usedIn(house)
      const page = await setting.open('/nowhere')
      for (const used of all) {
        await walk(page, setting, `${used.path}/${used.id}`)
        await checkLosses(page, used)
        await remove(page, used)
        await restore(page, used)
        await checkPage(page, `restored${used.path.replaceAll('/', '-')}-${width}`)
      }

      for (const { path, read } of await makeUnused(house)) {
        await walk(page, setting, path)
        // Nothing is lost, so it does not ask.
        await deleteButton(page).click()
        await page.getByRole('button', { name: 'Undo' }).click()
        const notice = page.getByRole('alert').filter({ hasText: 'restored' })
        await notice.waitFor()
        expect([path, (await read()).is_deleted]).toEqual([path, false])
        await notice.getByRole('button', { name: 'Dismiss' }).click()
      }
      expect(faultsOf(page)).toEqual([])
      await page.close()
    },
  )

  test(
    'an alarm rule, and a target that it names, are deleted after the console said who is told no longer',
    within(60),
    async () => {
      const { client } = setting
      const target = await client.notification_targets.create({
        kind: 'email',
        name: 'Guard room',
        address: 'guards@example.com',
      })
      const notify = [{ role: 'owner' as const }]
      const escalate = [{ after_seconds: 600, notify: [{ notification_target_id: target.id }] }]
      const makeRule = (name: string, is_enabled: boolean) =>
        client.alarm_rules.create({ name, types: ['door_forced'], notify, escalate, is_enabled })
      const rule = await makeRule('Forced doors', true)
      const off = await makeRule('Old rule', false)
      const page = await setting.open('/alarms/rules')
      const dialog = dialogOf(page)
      const checkAsked = async (lost: string) => {
        await dialog.waitFor()
        expect(await dialog.getByRole('listitem').allTextContents()).toEqual([lost])
      }
      const undo = async (name: string) => {
        await page.getByRole('button', { name: 'Undo' }).click()
        const notice = page.getByRole('alert').filter({ hasText: `“${name}” restored` })
        await notice.getByRole('button', { name: 'Dismiss' }).click()
      }

      await page.getByRole('button', { name: 'More for Guard room' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await checkAsked('It will no longer be told of alarms by the rule “Forced doors”.')
      await checkPage(page, `target-delete-${width}`, true)
      expect((await client.notification_targets.get(target.id)).is_deleted).toBe(false)
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expect.poll(async () => (await client.notification_targets.get(target.id)).is_deleted).toBe(true)
      await undo('Guard room')

      await page.getByRole('button', { name: 'Delete Forced doors' }).click()
      await checkAsked('It will no longer tell all owners, Guard room of alarms.')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect((await client.alarm_rules.get(rule.id)).is_deleted).toBe(false)
      await page.getByRole('button', { name: 'Delete Forced doors' }).click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expect.poll(async () => (await client.alarm_rules.get(rule.id)).is_deleted).toBe(true)
      await undo('Forced doors')

      // It tells nobody anyway.
      await page.getByRole('button', { name: 'Delete Old rule' }).click()
      await undo('Old rule')
      expect((await client.alarm_rules.get(off.id)).is_deleted).toBe(false)
      expect(faultsOf(page)).toEqual([])
      await page.close()
    },
  )

  test(
    'a day that a site observes is deleted after the console said where it is lost',
    within(60),
    async () => {
      const { client } = setting
      const calendar = await client.calendars.create({ name: 'Races' })
      const makeDay = (name: string, starts_on: string) =>
        client.calendar_days.create(calendar.id, { name, kind: 'race', starts_on })
      const day = await makeDay('Grand prix', '2030-06-01')
      await makeDay('Old race', '2020-06-01')
      await client.schedules.create({
        name: 'Stand hours',
        weekdays,
        special_days: [{ kind: 'race', ranges: [] }],
      })
      await client.sites.create({ name: 'Track', timezone: 'Europe/Madrid', calendar_ids: [calendar.id] })
      const isDeleted = async () => (await client.calendar_days.get(calendar.id, day.id)).is_deleted
      const page = await setting.open(`/calendars/${calendar.id}`)
      const dialog = dialogOf(page)
      const remove = page.getByRole('button', { name: 'Delete Grand prix' })
      await remove.click()
      await dialog.waitFor()
      expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
        'It will be like any other day at Track: 1 Jun 2030.',
        '1 schedule will no longer react to it.',
      ])
      await checkPage(page, `day-delete-${width}`, true)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await isDeleted()).toBe(false)
      await remove.click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expect.poll(isDeleted).toBe(true)
      await page.getByRole('button', { name: 'Undo' }).click()
      await remove.waitFor()
      expect(await isDeleted()).toBe(false)
      await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click()

      // Nothing is lost of a day that is over.
      await page.getByRole('button', { name: 'Delete Old race' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      expect(faultsOf(page)).toEqual([])
      await page.close()
    },
  )

  test('what was deleted inside a member or a calendar comes back later', within(60), async () => {
    const { client } = setting
    const member = await client.members.create({ name: 'Rita Restored' })
    const email = await client.member_emails.create(member.id, { email: 'rita@example.com' })
    const group = await client.member_groups.create({ name: 'Choir' })
    const membership = await client.member_group_associations.create(member.id, {
      member_group_id: group.id,
    })
    const calendar = await client.calendars.create({ name: 'Concerts' })
    const day = await client.calendar_days.create(calendar.id, {
      name: 'Gala',
      kind: 'fair',
      starts_on: '2030-05-01',
    })
    await client.member_emails.delete(member.id, email.id)
    await client.member_group_associations.delete(member.id, membership.id)
    await client.calendar_days.delete(calendar.id, day.id)
    const page = await setting.open('/nowhere')
    const parts = [
      {
        path: `/members/${member.id}`,
        list: 'Deleted credentials',
        name: 'rita@example.com',
        read: () => client.member_emails.get(member.id, email.id),
      },
      {
        path: `/members/${member.id}`,
        list: 'Deleted memberships',
        name: 'Choir',
        read: () => client.member_group_associations.get(member.id, membership.id),
      },
      {
        path: `/calendars/${calendar.id}`,
        list: 'Deleted days',
        name: 'Gala',
        read: () => client.calendar_days.get(calendar.id, day.id),
      },
    ]
    for (const { path, list, name, read } of parts) {
      await walk(page, setting, path)
      await page.getByRole('button', { name: list }).click()
      const line = page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: name })
      await line.waitFor()
      await checkPage(page, `${list.toLowerCase().replace(' ', '-')}-${width}`, true)
      await line.getByRole('button', { name: `Restore ${name}` }).click()
      await line.waitFor({ state: 'detached' })
      expect([list, (await read()).is_deleted]).toEqual([list, false])
    }
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })
})
